"""What an engine lacks is told, with the remedy."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.planning.engine_files import missing_files
from arena.play.jobs import EngineSpec


def test_engines_that_nobody_has_compiled_are_told_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """They play more weakly, and no other word of a run would say so."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("arena.config.command_words.compiler", lambda: "/usr/bin/cc")
    library = str(tmp_path / "callanish-arena" / "searches" / "fast-1.so")
    spec = EngineSpec("fast", ("fast", library))
    fast_and_so_on = "fast, fast-2: the search in C is not compiled, and that in Python is much weaker; "
    told = missing_files([spec, replace(spec, name="fast-2")], ".venv/bin/arena")
    assert told == [f"{fast_and_so_on}`.venv/bin/arena engines build` compiles it"]
    monkeypatch.setattr("arena.config.command_words.compiler", lambda: None)
    (sentence,) = missing_files([spec, replace(spec, name="fast-2")])
    assert sentence == f"{fast_and_so_on}install a C compiler, such as gcc, then `arena engines build` compiles it"


def test_any_other_missing_file_is_told_with_its_path(tmp_path: Path) -> None:
    """The registry names it, so somebody meant it to be there."""
    here, gone = tmp_path / "weights", tmp_path / "book.so"
    here.touch()
    (sentence,) = missing_files([EngineSpec("fox", ("fox",), files=(str(here), str(gone)))])
    assert sentence == f"fox: {gone} is missing, which its registry entry has under files"
