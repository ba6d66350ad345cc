# Every target does its own set-up: a fresh machine needs python3 (3.11 or later, with venv), make and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help venv demo engines test test-all lint faults bench clean

help:
	@echo "make demo      four engines play a round robin in about a minute"
	@echo "make engines   the engine in C, in engines/bin, where there is a C compiler"
	@echo "make test      lint, types and the default tests, in about a minute"
	@echo "make test-all  the long tests as well"
	@echo "make faults    every fault an engine can commit, and what became of it: docs/FAULTS.md, some minutes"
	@echo "make bench     the referee against C and against its peers: benchmarks/RESULTS.md, about ten minutes"
	@echo "make venv      only the environment, in $(VENV)"
	@echo "make clean     remove what make made"

venv: $(READY)

$(READY): pyproject.toml requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed; try: make PYTHON=python3.12 venv"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.txt -e '.[dev]'
	@touch $@

demo: $(READY)
	$(BIN)/arena demo

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

engines: engines/bin/independent

# Without a compiler nothing is made, and its tests are skipped.
engines/bin/independent: engines/independent.c
	@mkdir -p $(@D)
	@if command -v $(CC) >/dev/null; then $(CC) -std=c11 -O2 -Wall -Wextra -Werror -o $@ $<; else echo skipped; fi

test: lint engines
	$(BIN)/pytest -q -n auto

test-all: lint engines
	$(BIN)/pytest -q -n auto -m 'long or not long' --timeout 1800

faults: $(READY)
	$(BIN)/python -m benchmarks.faults --write docs/FAULTS.md

# Peers are measured where they are: on the PATH, or in the folder that ARENA_PEERS names.
bench: $(READY)
	$(BIN)/python -m benchmarks.run --write

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
