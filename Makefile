# Every target does its own set-up: a fresh machine needs python3 (3.11 or later, with venv), make and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PACKAGES := arena engines protocol results
ZOO := tests/zoo
FAST := .fast
# What it makes of the tests themselves is kept, also where the environment says that no bytecode is: else each of its
# processes makes it anew, for some seconds.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/pytest
# Half of the time a test waits for engines, so two of them share a CPU.
AT_ONCE = $(shell $(PYTHON) -c 'import os; print(2 * (os.cpu_count() or 1))')
# What runs between two moves, compiled to C by `make fast`.
INNER := $(addprefix arena/,timing/clock.py play/referee.py games/callanish.py games/game.py games/tafl.py conformance/subject.py) \
	$(addprefix protocol/,grammar.py line_buffer.py process.py read_alarm.py run_delay.py \
	search_reply.py session.py stopwatch.py task_files.py transcript_tail.py)
# Their tests lie in folders of the same names. Those of the zoo play games against real processes.
INNER_TESTS := $(wildcard $(addsuffix test_*.py,$(addprefix tests/,$(sort $(dir $(INNER))) zoo/)))

.PHONY: help venv demo fast dist pyz test test-all test-fast lint faults bench bench-compare clean

help:
	@echo "make demo      five engines play a round robin in less than a minute"
	@echo "make fast      $(FAST)/bin/arena: the same with its inner loop compiled to C; wants a C compiler, takes a minute"
	@echo "make dist      the source distribution and the wheels in dist, each tried in an empty environment"
	@echo "make pyz       dist/callanish-check.pyz: the checker as one file that needs Python 3.11 and nothing else"
	@echo "make test      lint, types and the default tests, in about two minutes"
	@echo "make test-all  the long tests as well, and make test-fast"
	@echo "make test-fast the default tests of the parts that make fast compiled"
	@echo "make faults    every fault an engine can commit, and what became of it: docs/reference/FAULTS.md, some minutes"
	@echo "make bench     the referee against C and against its peers: benchmarks/RESULTS.md, about ten minutes"
	@echo "make bench-compare BASE=main   is this checkout slower than a commit or another checkout? some minutes"
	@echo "make venv      only the environment, in $(VENV), and the engines in C where there is a compiler"
	@echo "make clean     remove what make made"

venv: $(READY) compiled

$(READY): pyproject.toml requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed; try: make PYTHON=python3.12 venv"; exit 2; }
	@echo "Making a Python environment in $(VENV)"
	@echo "1 of 3: the environment itself, some seconds"
	@$(PYTHON) -m venv $(VENV)
	@echo "2 of 3: installing and compiling what it needs, up to a minute"
	@$(MAKE) --silent compiled & compiling=$$!; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.txt -e '.[dev]'; \
	status=$$?; wait $$compiling; exit $$status
	@echo "3 of 3: compiling Python files, some seconds"
	@$(BIN)/python -m compileall -q $(PACKAGES) $(ZOO)  # an engine in its box could not write what it compiles
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

fast: $(FAST)/.ready

# Compiled in a copy: what is edited here is what is tested here, and no machine code of yesterday stands before it.
$(FAST)/.ready: $(READY) hatch_build.py $(shell find $(PACKAGES) $(ZOO) -type f -not -name '*.pyc' -not -path 'engines/bin/*' -not -path 'engines/native/lib/*')
	@command -v $(CC) >/dev/null || { echo "make fast needs a C compiler, and $(CC) is none; $(BIN)/arena does the same without"; exit 2; }
	rm -rf build/fast
	mkdir -p build/fast
	cp -R $(PACKAGES) docs README.md CHANGELOG.md LICENSE hatch_build.py build/fast
	mkdir build/fast/benchmarks
	cp benchmarks/RESULTS.md build/fast/benchmarks
	mkdir build/fast/tests
	cp -R $(ZOO) build/fast/tests
	cd build/fast && CFLAGS="$(CFLAGS) -fno-plt" $(CURDIR)/$(BIN)/mypyc --strict --explicit-package-bases --ignore-missing-imports $(INNER) >mypyc.log 2>&1 || { tail -n 40 mypyc.log; exit 1; }
	cd build/fast && $(PYTHON) -m engines.native.build
	cp pyproject.toml build/fast
	$(PYTHON) -m venv $(FAST)
	$(FAST)/bin/python -m pip install --quiet --disable-pip-version-check -c requirements.txt -e build/fast
	cd build/fast && $(CURDIR)/$(FAST)/bin/python -m compileall -q $(PACKAGES) $(ZOO)
	@touch $@

# TRY=--demo also plays the demo, and TRY='--python /opt/python3.13/bin/python' tries the wheel of this platform there, too.
# The pure wheel is made from the source distribution, so that it proves that nothing is missing there. With a compiler two
# more are made: one with the compiled searches for every Python of this platform, one that is compiled as a whole.
dist: venv $(if $(shell command -v $(CC)),$(FAST)/.ready)
	rm -rf dist
	$(BIN)/python -m hatchling build -t sdist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w dist dist/*.tar.gz
	$(if $(shell command -v $(CC)),$(BIN)/python -m hatchling build -t wheel)
	$(if $(shell command -v $(CC)),cd build/fast && $(CURDIR)/$(BIN)/python -m hatchling build -t wheel -d $(CURDIR)/dist)
	$(BIN)/python tests/try_distribution.py $(TRY) dist/*

pyz:
	$(PYTHON) build_pyz.py dist/callanish-check.pyz

test: lint compiled
	$(BIN)/python -m compileall -q $(PACKAGES) $(ZOO)
	$(PYTEST) -q -n $(AT_ONCE) --dist worksteal

test-all: lint compiled
	$(PYTEST) -q -n auto --dist worksteal -m 'long or not long' --timeout 1800 --hypothesis-profile thorough
	$(if $(shell command -v $(CC)),$(MAKE) test-fast)

test-fast: fast compiled
	$(FAST)/bin/python -m pip install --quiet --disable-pip-version-check -c requirements.txt -e 'build/fast[dev]'
	PYTHONSAFEPATH=1 $(FAST)/bin/pytest -q -n $(AT_ONCE) --dist worksteal -o pythonpath='build/fast .' $(INNER_TESTS)

faults: $(READY)
	$(BIN)/python -m benchmarks.faults --write docs/reference/FAULTS.md

# Peers are measured where they are: on the PATH, or in the folder that ARENA_PEERS names.
bench: $(READY) $(if $(shell command -v $(CC)),$(FAST)/.ready)
	$(BIN)/python -m benchmarks.run --write

# OPTIONS="--compiled --rounds 20" compiles both sides and plays more rounds.
bench-compare: $(READY)
	$(BIN)/python -m benchmarks.compare $(BASE) $(OPTIONS)

clean:
	rm -rf $(VENV) $(FAST) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build engines/bin engines/native/lib
