"""Fails with one sentence when this Python is too old or cannot make a virtual environment."""

import importlib.util
import sys

if sys.version_info < (3, 11):  # noqa: UP036 – an older one runs this file to be told so
    sys.exit(
        f"Lexbridge needs Python 3.11 or newer; this is {sys.version.split()[0]}. "
        "Call make with PYTHON=/path/to/python3.11 or newer."
    )
if importlib.util.find_spec("ensurepip") is None:
    sys.exit(
        "This Python has no ensurepip, so it cannot make a virtual environment. On Debian: apt-get install python3-venv"
    )
