# The two commands of the README: make serve, make test. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
HOST ?= 127.0.0.1

.PHONY: serve test build setup clean

serve: build
	$(BIN)/lexbridge serve --host $(HOST) --port $(PORT)

build: $(VENV)/.installed
	$(BIN)/lexbridge ingest
	$(BIN)/lexbridge index

test: $(VENV)/.installed-test
	$(BIN)/python -m scripts.browser
	$(BIN)/python -m pytest

setup: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml requirements.lock
	$(PYTHON) -m scripts.need_python
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.installed-test: $(VENV)/.installed requirements-test.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-test.lock
	touch $@

clean:
	rm -rf $(VENV) index/built
