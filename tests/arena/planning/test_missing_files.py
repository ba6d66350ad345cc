"""A file that a registry entry lists and that does not exist is told, with the remedy."""

from dataclasses import replace
from pathlib import Path

from arena.config import load
from arena.planning.missing_files import missing_files
from arena.play.jobs import EngineSpec


def test_a_library_that_is_not_compiled_is_told_with_the_remedy(tmp_path: Path) -> None:
    """An engine without its library plays more weakly, and no other word of a run would say so."""
    spec = EngineSpec("fast", ("fast",), files=(str(tmp_path / "lib" / "fast.so"),))
    told = missing_files([spec, replace(spec, name="fast-2")])
    assert told == ["fast: fast.so is not compiled, so it plays more weakly or not at all; `make engines` compiles it"]


def test_any_other_missing_file_is_told_with_its_path(tmp_path: Path) -> None:
    """The registry names it, so somebody meant it to be there."""
    here, gone = tmp_path / "weights", tmp_path / "book"
    here.touch()
    (sentence,) = missing_files([EngineSpec("fox", ("fox",), files=(str(here), str(gone)))])
    assert sentence == f"fox: {gone} is missing, which its registry entry has under files"


def test_the_shipped_engines_lack_nothing_but_what_is_compiled() -> None:
    """Every other file that the shipped registry lists is in the package."""
    registry = load.load_registry(None)
    specs = [spec for name in registry.names if (spec := registry.get(name)) is not None]
    assert [told for told in missing_files(specs) if "is not compiled" not in told] == []
