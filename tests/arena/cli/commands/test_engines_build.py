"""`arena engines build`: the searches in C, compiled into the user's cache; and who plays without them."""

import shutil
from pathlib import Path

import pytest

from engines.native import build
from protocol.containment.policy import Level
from protocol.containment.trial import examine
from tests.arena.cli.conftest import Arena
from tests.arena.conftest import QUICK

LIMITS = ("--variant", "callanish-5", "--nodes", "2", "--max-plies", "4", "--games", "1")
CC = """#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo compiled >"$2"
"""


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A cache of the test's own, beside a package without libraries, as the pure wheel has it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(build, "LIBRARIES", tmp_path / "none")
    return build.cache()


@pytest.fixture
def compiled(cache: Path) -> None:
    """Libraries in the cache."""
    if build.compiler() is None:
        pytest.skip("there is no C compiler on this machine")
    lib = build.HERE / "lib"
    cache.mkdir(parents=True)
    for engine in build.ENGINES:
        name = build.library(engine).name
        made = lib / name if (lib / name).exists() else build.build(engine, lib)
        shutil.copy(made, cache)


def test_searches_are_compiled_into_the_cache_and_removed_again(
    arena: Arena, cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Into one folder of it, and nothing is left of that; what else is cached stays."""
    (tmp_path / "cc").write_text(CC)
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.setenv("CC", str(tmp_path / "cc"))
    other = cache.parent / "engines" / "of another"
    other.mkdir(parents=True)
    made = arena("engines", "build")
    assert made.exit_code == 0, made.stderr
    assert {path.name for path in cache.iterdir()} == {build.library(engine).name for engine in build.ENGINES}
    assert all(str(path) in made.stdout.replace("\n", "") for path in cache.iterdir())
    assert not (tmp_path / "none").exists()
    assert arena("engines", "build", "--remove").stdout.replace("\n", " ").strip() == f"{cache} is removed"
    assert not cache.exists() and other.exists()
    again = arena("engines", "build", "--remove")
    assert again.exit_code == 0 and "nothing was compiled so" in again.stdout.replace("\n", " ")


@pytest.mark.parametrize(("cc", "told"), [("/no/such/cc", "install one, such as gcc"), ("false", "failed")])
def test_what_cannot_be_compiled_is_told(
    cc: str, told: str, arena: Arena, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No compiler, and one that fails: a sentence, an exit code, and no library."""
    monkeypatch.setenv("CC", cc)
    done = arena("engines", "build")
    assert (done.exit_code, told in done.stderr) == (2, True), done.stderr
    assert not [*cache.rglob("*.so")]


@pytest.mark.usefixtures("compiled", "quick_workers")
@pytest.mark.parametrize("level", [Level.BASIC, pytest.param(Level.STRICT, marks=pytest.mark.long)])
def test_a_contained_engine_reads_its_library_in_the_cache(level: Level, arena: Arena) -> None:
    """Its home is a scratch folder, and it could not find the cache."""
    if examine(level).user is None:
        pytest.skip(f"`{level}` is not available on this machine")
    played = arena("match", "stornoway", QUICK, *LIMITS, "--db", "m.db", "--contain", level, "--trace", "traces")
    assert played.exit_code == 0, played.stderr
    assert "not compiled" not in played.stderr
    traces = [path.read_text() for path in Path("traces").iterdir()]
    assert traces and not [text for text in traces if "searches in Python" in text]


@pytest.mark.usefixtures("quick_workers")
def test_an_engine_with_another_search_is_another_player(
    arena: Arena, cache: Path, request: pytest.FixtureRequest
) -> None:
    """Ratings join games by name: those of the search in Python are not those of the search in C."""
    words = ["match", "stornoway", QUICK, *LIMITS, "--contain", "none", "--db", "m.db"]
    without = arena(*words)
    assert without.exit_code == 0, without.stderr
    told = "stornoway-python: the search in C is not compiled, and that in Python is much weaker"
    assert " ".join(without.stderr.split()).count(told) == 1
    request.getfixturevalue("compiled")
    assert arena(*words).exit_code == 0
    standings = arena("standings", "m.db").stdout.split("\n\n")[0]
    assert [line.split()[1] for line in standings.splitlines() if " stornoway" in line].count("stornoway") == 1
    assert standings.count("stornoway-python ") == 1


def test_the_list_of_engines_has_the_names_to_type(arena: Arena, cache: Path) -> None:
    """Compiled or not, with one line that says what is lacking."""
    listed = arena("engines", "list").stdout
    assert "stornoway-python" not in listed
    assert "buckquoy, stornoway, strong: the search in C is not compiled" in " ".join(listed.split())
