"""The files of engines: whether two runs played the same engine, and what is missing."""

import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from arena.planning.engine_files import missing_files, sha256
from arena.play.jobs import EngineSpec
from protocol.containment.policy import SandboxPolicy


def program(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_a_program_on_the_path_is_covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry may name a program without a path. A new version is another engine; the engine's own PATH counts."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        program(tmp_path / folder / "mine", folder)
    monkeypatch.setenv("PATH", str(tmp_path / "one"))
    bare = EngineSpec("mine", ("mine",))
    before = sha256(bare)
    assert before == sha256(EngineSpec("mine", (str(tmp_path / "one" / "mine"),)))
    there = EngineSpec("mine", ("mine",), sandbox=SandboxPolicy(environment={"PATH": str(tmp_path / "two")}))
    assert sha256(there) == sha256(EngineSpec("mine", (str(tmp_path / "two" / "mine"),))) != before
    program(tmp_path / "one" / "mine", "changed")
    assert sha256(bare) != before


def test_arguments_and_listed_files_are_covered(tmp_path: Path) -> None:
    """A changed or removed script or net changes the fingerprint. A net may be larger than the memory."""
    script, net = program(tmp_path / "mine.py", "1"), program(tmp_path / "net.bin", "1")
    spec = EngineSpec("mine", ("/bin/cat", str(script)), files=(str(net),))
    seen = {sha256(spec)}
    for path in (script, net):
        path.write_text("2")
        seen.add(sha256(spec))
        path.unlink()
        seen.add(sha256(spec))
    assert len(seen) == 5
    with net.open("wb") as large:
        large.truncate(64 << 20)
    tracemalloc.start()
    sha256(spec)
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()


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
