"""A ladder's file as it is edited, and the names under which its engines play."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.load import ConfigError, LoadedTournament, load_registry
from arena.ladder.file_watch import SETTLED_NS, LadderFile, digest, named
from arena.play.jobs import EngineSpec
from results.record import Player

HEAD = '[tournament]\nvariants = ["callanish-5"]\nnodes = 9\n'
TWO = '[[engines]]\nname = "random"\n[[engines]]\nname = "greedy"\n'


class Clock:
    """The file system's time; it goes on as fast as a test likes."""

    def __init__(self) -> None:
        self.ns = 10**18

    def __call__(self) -> int:
        return self.ns

    def write(self, path: Path, text: str, settle: bool = True) -> None:
        """Write now, and let it settle."""
        self.ns += SETTLED_NS
        path.write_text(text)
        os.utime(path, ns=(self.ns, self.ns))
        self.ns += SETTLED_NS if settle else 0


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path, clock: Clock) -> Path:
    clock.write(tmp_path / "l.toml", HEAD + TWO)
    return tmp_path / "l.toml"


def watched(path: Path, clock: Clock, beside: Sequence[Path] = ()) -> LadderFile:
    registry = beside[0] if beside else None
    return LadderFile(path, lambda: load_registry(registry), tuple, beside=beside, now_ns=clock)


def names(file: LadderFile) -> list[str]:
    return [spec.name for spec in file.engine_list.engines]


def test_an_edit_is_seen_once_and_only_when_it_changes_the_engines(path: Path, clock: Clock) -> None:
    """A comment changes nothing; one engine more is one look's news."""
    file = watched(path, clock)
    assert file.look() is None
    clock.write(path, HEAD + "# a comment\n" + TWO)
    assert file.look() is None
    clock.write(path, HEAD + TWO + '[[engines]]\nname = "mcts"\n')
    found = file.look()
    assert found is not None and [spec.name for spec in found.engines] == ["random", "greedy", "mcts"]
    assert file.look() is None


def test_a_file_that_is_being_written_is_left_alone(path: Path, clock: Clock) -> None:
    """Until nothing was written for a second: editors write in parts."""
    file = watched(path, clock)
    clock.write(path, HEAD + TWO + '[[engines]]\nname = "mc', settle=False)
    assert file.look() is None
    clock.write(path, HEAD + TWO + '[[engines]]\nname = "mcts"\n')
    assert file.look() is not None


def test_a_broken_edit_is_said_once_and_the_old_lineup_stays(path: Path, clock: Clock) -> None:
    """Also where the file is gone; a repaired one is taken over."""
    file = watched(path, clock)
    clock.write(path, HEAD + TWO + "broken [")
    with pytest.raises(ConfigError):
        file.look()
    assert file.look() is None and names(file) == ["random", "greedy"]
    path.unlink()
    with pytest.raises(ConfigError, match="no such file"):
        file.look()
    clock.write(path, HEAD + TWO + '[[engines]]\nname = "mcts"\n')
    assert file.look() is not None


def digests(engine_list: LoadedTournament) -> list[str]:
    return [spec.sha256 for spec in engine_list.engines]


def test_a_program_that_is_built_anew_is_seen(path: Path, clock: Clock, tmp_path: Path) -> None:
    """Though nobody touched the ladder's file; the same program again is no change."""
    program = tmp_path / "mine.sh"
    clock.write(program, "one")
    clock.write(path, HEAD + TWO + '[[engines]]\nname = "mine"\ncommand = ["./mine.sh"]\n')
    file = watched(path, clock)
    before = digests(file.engine_list)
    clock.write(program, "one")
    assert file.look() is None
    clock.write(program, "two")
    found = file.look()
    assert found is not None and digests(found)[:2] == before[:2] and digests(found)[2] != before[2]
    program.unlink()
    assert file.look() is not None
    clock.write(program, "one")
    found = file.look()
    assert found is not None and digests(found) == before


def player(name: str, made_of: str) -> Player:
    return Player(name, "1", "me", ("x",), made_of, name.partition("@")[0])


def test_a_changed_engine_is_another_player_of_the_same_family() -> None:
    """And the one it was when it is what it was."""
    specs = (EngineSpec("one", ("one",)), EngineSpec("two", ("two",), family="twins"))

    def called(*digests: str, players: Sequence[Player] = ()) -> list[tuple[str, str]]:
        marked = [replace(spec, sha256=each) for spec, each in zip(specs, digests, strict=True)]
        return [(spec.name, spec.family) for spec in named(marked, players)]

    assert called("a", "b") == [("one", "one"), ("two", "twins")]
    known = [player("one", "a"), player("two", "b")]
    assert called("a", "b", players=known) == [("one", "one"), ("two", "twins")]
    assert called("c", "b", players=known) == [("one@2", "one"), ("two", "twins")]
    known.append(player("one@2", "c"))
    assert called("c", "b", players=known)[0][0] == "one@2"
    assert called("a", "b", players=known)[0][0] == "one"
    assert called("d", "b", players=known)[0][0] == "one@3"


def test_whatever_changes_how_an_engine_plays_changes_its_digest(tmp_path: Path) -> None:
    """Options, arguments, environment and limits; not where its program lies."""
    script = tmp_path / "a" / "mine.py"
    moved = tmp_path / "b" / "mine.py"
    for each in (script, moved):
        each.parent.mkdir()
        each.write_text("pass")
    spec = EngineSpec("one", ("python", str(script)), {"Hash": "1"})
    same = digest(spec, "f")
    assert digest(replace(spec, command=("python3", str(moved))), "f") == same
    others = [
        digest(spec, "g"),
        digest(replace(spec, options={"Hash": "2"}), "f"),
        digest(replace(spec, command=(*spec.command, "--fast")), "f"),
        digest(replace(spec, sandbox=replace(spec.sandbox, environment={"X": "1"})), "f"),
    ]
    assert len({same, *others}) == 5
