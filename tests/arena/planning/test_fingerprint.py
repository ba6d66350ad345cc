"""Fingerprints tell whether two runs played the same engine."""

from pathlib import Path

import pytest

from arena.planning.engine_files import sha256
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
    """A changed or removed script or net changes the fingerprint."""
    script, net = program(tmp_path / "mine.py", "1"), program(tmp_path / "net.bin", "1")
    spec = EngineSpec("mine", ("/bin/cat", str(script)), files=(str(net),))
    seen = {sha256(spec)}
    for path in (script, net):
        path.write_text("2")
        seen.add(sha256(spec))
        path.unlink()
        seen.add(sha256(spec))
    assert len(seen) == 5
