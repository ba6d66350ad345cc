# Every target does its own set-up: a fresh machine needs python3 (3.11 or later, with venv), make and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PACKAGES := arena engines protocol results
ZOO := tests/zoo
PLUGINS := tests/plugins/ataxx tests/plugins/chess
# The last lines count the skipped tests by their reasons.
PYTEST := $(BIN)/pytest -rs
# A test waits for a part of its time, so three of them share two CPUs. Each further one would collect all tests once more.
AT_ONCE = $(shell $(PYTHON) -c 'import os; print((3 * (os.cpu_count() or 1) + 1) // 2)')

.PHONY: help venv demo dist test test-all lint faults bench bench-compare docs clean

help:
	@echo "make demo      five engines play a round robin in less than a minute"
	@echo "make dist      the source distribution and the wheels in dist, each tried in an empty environment"
	@echo "make test      lint, types and the default tests, in about two minutes"
	@echo "make test-all  the long tests as well"
	@echo "make faults    every fault an engine can commit, and what became of it, some minutes"
	@echo "make bench     the referee against C and against its peers: benchmarks/RESULTS.md, about forty minutes"
	@echo "make bench-compare BASE=main   is this checkout slower than a commit or another checkout? some minutes"
	@echo "make docs      the documents as pages with a search box: build/site/index.html"
	@echo "make venv      only the environment, in $(VENV), and the engines in C where there is a compiler"
	@echo "make clean     remove what make made"

venv: $(READY) compiled

$(READY): pyproject.toml requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed; try: make PYTHON=python3.12 venv"; exit 2; }
	@echo "Making a Python environment in $(VENV)"
	@echo "1 of 3: the environment itself, some seconds"
	@$(PYTHON) -m venv $(VENV)
	@echo "2 of 3: installing and compiling what it needs: a minute, or some on a busy machine (nothing is printed meanwhile)"
	@$(MAKE) --silent compiled & compiling=$$!; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.txt -e '.[dev]' $(PLUGINS:%=-e %); \
	status=$$?; wait $$compiling; exit $$status
	@echo "3 of 3: compiling Python files, some seconds"
	@$(BIN)/python -m compileall -q $(PACKAGES) $(ZOO)  # an engine in its box could not write what it compiles
	@# The tables of characters that hypothesis keeps here: each process of the tests would make them anew, for 2 s.
	@$(BIN)/python -c 'from hypothesis import strategies; strategies.text().validate()'
	@touch $@

demo: venv
	@echo "Five engines play 200 games, in less than a minute: $(BIN)/arena demo"
	@$(BIN)/arena demo

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Without a compiler nothing is made: the tests of these engines are skipped, and the arena tells what their players lack.
compiled: $(if $(shell command -v $(CC)),engines/bin/independent)
	@$(PYTHON) -m engines.native.build || echo "so stornoway and buckquoy search in Python, and play much weaker"

engines/bin/independent: engines/independent.c
	@mkdir -p $(@D)
	-@$(CC) -std=c11 -O2 -Wall -Wextra -Werror -o $@ $<

# TRY=--demo also plays the demo, and TRY='--python /opt/python3.13/bin/python' tries the wheel of this platform there, too.
# The pure wheel is made from the source distribution, so that it proves that nothing is missing there. With a compiler
# another one is made, with the compiled searches, for every Python of this platform.
dist: venv
	rm -rf dist
	$(BIN)/python -m hatchling build -t sdist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w dist dist/*.tar.gz
	$(if $(shell command -v $(CC)),$(BIN)/python -m hatchling build -t wheel)
	$(BIN)/python tests/try_distribution.py $(TRY) dist/*

test: lint compiled
	$(BIN)/python -m compileall -q $(PACKAGES) $(ZOO)
	$(PYTEST) -q -n $(AT_ONCE) --dist worksteal

test-all: lint compiled
	$(PYTEST) -q -n auto --dist worksteal -m 'long or not long' --timeout 1800 --hypothesis-profile thorough

faults: $(READY)
	$(BIN)/python -m benchmarks.faults

# Peers are measured where they are: on the PATH, or in the folder that ARENA_PEERS names.
bench: $(READY)
	$(BIN)/python -m benchmarks.run --write

# OPTIONS="--rounds 20" plays more rounds.
bench-compare: $(READY)
	$(BIN)/python -m benchmarks.compare $(BASE) $(OPTIONS)

docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	$(BIN)/arena docs --output build/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --clean

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist engines/bin engines/native/lib
