"""Finds the nginx that the tests of ``deploy/`` start, or installs it; run by ``make test``.

Order: nginx on the PATH or where Debian puts it; Debian's package when we are root on Debian. Without any it prints
what is not tested and succeeds: developers need no proxy, only a server does.
"""

from __future__ import annotations

import shutil

from tools import debian_packages as debian

PLACES = "/usr/sbin:/usr/local/sbin:/opt/homebrew/bin"


def find_nginx() -> str | None:
    """Return the path of nginx, or None."""
    return shutil.which("nginx") or shutil.which("nginx", path=PLACES)


def install_nginx() -> str | None:
    """Install nginx and return its path, or None."""
    return find_nginx() if debian.install_packages("nginx", "openssl") else None


if __name__ == "__main__":
    nginx = find_nginx() or install_nginx()
    print(f"nginx: {nginx}" if nginx else "No nginx, and none could be installed: the tests that need one are skipped.")
