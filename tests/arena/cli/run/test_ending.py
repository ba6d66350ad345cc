"""What is told of faults during a run, and what comes after its tables."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.run.ending import Ending
from arena.cli.run.progress import tell_faults
from arena.run.events import GameEnded
from results.record import GameRecord, Termination
from results.store.store import Store
from tests.arena.cli.conftest import add, record


def fault(number: int) -> GameRecord:
    """A game that beta loses, because it has the side of p1 in even games."""
    lost = record("aa11", number, "p2" if number % 2 == 0 else "p1", Termination.CRASH)
    return replace(lost, detail="exit status 1")


def test_an_engine_that_fails_a_thousand_times_has_six_lines(sentences: list[str]) -> None:
    """The first three faults, then the 10th, the 100th and the 1000th; each engine is counted by itself.

    Other ends have none.
    """
    faults = Counter[str]()
    tell_faults([GameEnded(0, record("aa11", 1, "p1", "line"))], faults)
    for number in range(1, 1001):
        tell_faults([GameEnded(0, fault(number))], faults)
    tell_faults([GameEnded(0, record("aa11", 1001, "p2", Termination.TIME))], faults)
    assert [line.split(": ")[0] for line in sentences] == [*("game 1", "game 2", "game 3"), *["beta"] * 3, "game 1001"]
    assert sentences[1] == "game 2: beta lost by crash: exit status 1"
    assert sentences[4] == "beta: 100 faults by now, the last in game 100, crash"


def ending(db: Path, command: str, records: list[GameRecord], kept: bool = True) -> Ending:
    """The end of a run with these games."""
    store = Store.create_or_open(db)
    add(store, "aa11", records)
    return Ending(command, store, "aa11", db if kept else None)


def told(found: Ending, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What is printed of its games, on stderr and nowhere else."""
    with found.store:
        found.print_games()
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err.splitlines()


def test_every_new_end_of_a_small_run_is_told_once_and_each_fault_with_its_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that shows the evidence can be typed as it stands there. A fault was told when it happened."""
    monkeypatch.chdir(tmp_path)
    games = [record("aa11", 1, "p2", "king-escaped"), fault(2), record("aa11", 3, "p2", "king-escaped")]
    found = replace(ending(Path("my games.db"), "match", games), before=frozenset({3}))
    assert told(found, capsys) == [
        "",
        "game 1: beta won by king-escaped at ply 6",
        "",
        "beta lost 1 game by crash, see: arena show 'my games.db' 2",
    ]


def test_three_commands_show_more_of_every_run(tmp_path: Path) -> None:
    """With the name of the database; no command where no game was stored."""
    found = ending(tmp_path / "m.db", "match", [record("aa11", 1, "p2", "king-escaped"), fault(2)])
    with found.store:
        for command in ("match", "tournament", "demo", "sprt", "ladder"):
            commands = replace(found, command=command).next_commands()
            assert len(commands) == len(set(commands)) == 3, command
            assert all(str(tmp_path / "m.db") in each for each in commands if " play " not in each), command
    with Store.create_or_open(tmp_path / "empty.db") as store:
        add(store, "aa11", [])
        assert Ending("match", store, "aa11", tmp_path / "empty.db").next_commands() == []


def test_a_command_can_be_typed_where_the_shell_does_not_find_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After `make demo` nothing is on the PATH yet: the commands have the path by which the program was started."""
    monkeypatch.chdir(tmp_path)
    found = ending(Path("m.db"), "demo", [record("aa11", 1, "p2", "king-escaped")])
    monkeypatch.setattr("sys.argv", [".venv/bin/arena", "demo"])
    monkeypatch.setenv("PATH", str(tmp_path))
    with found.store:
        assert [each.split()[0] for each in found.next_commands()] == [".venv/bin/arena"] * 3
        (tmp_path / "arena").touch(0o755)
        assert [each.split()[0] for each in found.next_commands()] == ["arena"] * 3
