"""Installs Debian packages that tests need, where that is possible without asking: as root on Debian."""

from __future__ import annotations

import os
import shutil
import subprocess


def run_command(*command: str) -> bool:
    """Run a command and return whether it succeeded; its output goes to the terminal."""
    try:
        done = subprocess.run(  # noqa: S603 – the commands stand in scripts/
            command, stdin=subprocess.DEVNULL, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, check=False
        )
        return done.returncode == 0
    except OSError:
        return False


def install_packages(*packages: str) -> bool:
    """Return whether the packages are installed now; False where we are not root or there is no apt-get."""
    if not shutil.which("apt-get") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    run_command("apt-get", "update", "-q")
    return run_command("apt-get", "install", "-y", "-q", "--no-install-recommends", *packages)
