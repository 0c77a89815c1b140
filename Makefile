# make serve and make test are the two commands of the README; each target sets up what it needs. make help tells all.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
MINUTES ?= 25
SEED ?= 1
HOST ?= 127.0.0.1
OUT ?= sbom.cdx.json
# Each worker holds a site and a browser (1–2 GB). Whole files, in the order of tests/conftest.py: what tests of a file
# share is made once.
WORKERS ?= 2
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

.PHONY: help serve test test-all check lint mutants wayback soak bench build sbom setup clean

help:  ## this list
	@grep -E '^[a-z-]+:.*  ## ' $(MAKEFILE_LIST) | sed 's/:.*  ## /  /' | awk -F '  ' '{ printf "  make %-8s %s\n", $$1, $$2 }'

serve: $(VENV)/.installed  ## set everything up, build, serve http://127.0.0.1:8000 (PORT=, HOST=); pages follow meanwhile
	$(BIN)/lexbridge serve --build --host $(HOST) --port $(PORT)

build: $(VENV)/.installed  ## read the sources; corpus, search and pages in one
	$(BIN)/lexbridge build

test: $(VENV)/.installed-test  ## the tests, in a browser too: one is found or installed (WORKERS=2 at a time)
	$(BIN)/python -m tools.chromium
	$(BIN)/python -m tools.nginx
	$(PYTEST)

test-all: $(VENV)/.installed-test  ## every case of every test, and the other Whoosh; writes docs/full-run.tsv
	$(BIN)/python -m tools.chromium
	$(BIN)/python -m tools.nginx
	$(BIN)/python -m tools.full_run --workers $(WORKERS)

check: lint  ## while one works: lint, the examples in docstrings, the quick tests that need no build
	$(PYTEST) -m "not slow and not built"

lint: $(VENV)/.installed-test  ## style, faults, types and imports: ruff, mypy, import-linter
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	PYTHONPATH=. $(BIN)/lint-imports --no-logo

soak: $(VENV)/.installed-test  ## readers, builds, and everything that may happen to them, twenty times and more (MINUTES=, SEED=)
	$(BIN)/python -m tools.soak --minutes $(MINUTES) --seed $(SEED)

bench: $(VENV)/.installed-test  ## answers a second beside nginx and Datasette, as ratios: docs/performance.md
	PYTHONPATH=. $(BIN)/python benchmarks/bench.py

mutants: $(VENV)/.installed-test  ## the code with one thing wrong at a time: do the tests see it? (NAME=word of its name)
	$(BIN)/python -m tools.mutants $(NAME)

wayback: $(VENV)/.installed  ## the search on Whoosh 2.7.4 instead of the distribution that is locked: the same answers?
	$(BIN)/python -m tools.compare_whoosh

sbom: $(VENV)/.installed  ## what the site is made of, with digests, as CycloneDX JSON (OUT=sbom.cdx.json)
	$(BIN)/python -m tools.sbom $(OUT)

setup: $(VENV)/.installed  ## the environment alone

$(VENV)/.installed: pyproject.toml requirements.lock
	$(PYTHON) -m tools.need_python
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.installed-test: $(VENV)/.installed requirements-test.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-test.lock
	touch $@

clean:  ## away with the environment and what was built
	rm -rf $(VENV) index/built
