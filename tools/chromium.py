"""Finds the Chromium that the browser tests drive, or installs one; run by ``make test``.

Order: ``LEXBRIDGE_CHROMIUM``; a Chromium or Chrome on the PATH; one that Playwright installed earlier; Debian's
package when we are root on Debian; Playwright's own download. Without any of these it prints what to do.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from tools import debian_packages as debian

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_browser() -> str | None:
    """Return the path of a browser, or None."""
    chosen = os.environ.get("LEXBRIDGE_CHROMIUM")
    if chosen:
        return chosen if Path(chosen).exists() else None
    for name in NAMES:
        if found := shutil.which(name):
            return found
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if path and Path(path).exists() else None


def install_browser() -> str | None:
    """Install a Chromium and return its path, or None."""
    if debian.install_packages("chromium") and (found := find_browser()):
        return found
    debian.run_command(sys.executable, "-m", "playwright", "install", "chromium")
    return find_browser()


if __name__ == "__main__":
    browser = find_browser() or install_browser()
    if not browser:
        sys.exit(
            "No Chromium for the browser tests, and none could be installed: "
            "install chromium, or set LEXBRIDGE_CHROMIUM to one."
        )
    print(f"Browser: {browser}")
