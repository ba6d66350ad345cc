# Every target does its own set-up: a fresh machine needs python3 (3.11 or later, with venv), make and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help venv demo test test-all lint clean

help:
	@echo "make demo      four engines play a round robin in about a minute"
	@echo "make test      lint, types and the default tests, in about a minute"
	@echo "make test-all  the long tests as well"
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

test: lint
	$(BIN)/pytest -q -n auto

test-all: lint
	$(BIN)/pytest -q -n auto -m 'long or not long' --timeout 1800

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
