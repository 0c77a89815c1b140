#!/bin/sh
# Makes the lock files anew from pyproject.toml: pip install pip-tools, then scripts/lock.sh [--upgrade]
set -eu
cd "$(dirname "$0")/.."
options="--quiet --generate-hashes --allow-unsafe --strip-extras --no-annotate --no-header --no-emit-index-url --no-emit-trusted-host --no-emit-find-links"
pip-compile $options --extra build -o requirements.lock pyproject.toml "$@"
pip-compile $options --extra build --extra test -c requirements.lock -o requirements-test.lock pyproject.toml "$@"
