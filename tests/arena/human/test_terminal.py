"""The conversation of a game, with scripted engines and scripted typing."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.cli.errors import BadInput
from arena.cli.view.terminal_display import TerminalDisplay
from arena.games.variants import resolve
from arena.human.game import HumanGame
from arena.human.game_file import GameFile
from arena.human.opponents import Opponent
from arena.human.session import HumanGameSession
from arena.human.terminal import TerminalGame
from arena.imports.import_readers import read_games
from arena.imports.replay import check_lines
from arena.timing.time_control import parse
from protocol.faults import EngineFault, Fault, LastWords
from protocol.session import Identity, Reply
from protocol.stopwatch import Spent
from results.record import GameRecord, Termination

GAME_ID = "abc-1"
BEGUN = "2026-01-02T03:04:05+00:00"


class Scripted:
    """An engine that answers with these words; a fault in their place is raised."""

    identity = Identity("", "", "", {})

    def __init__(self, *answers: str | EngineFault, info: bytes | None = None) -> None:
        self._answers = iter(answers)
        self._info = info
        self.ended = False

    def prepare(self, position: bytes) -> None:
        self.position = position

    def search(self, go_line: bytes, budget_ns: int, fault: Fault) -> tuple[Reply, Spent]:
        self.went = go_line
        answer = next(self._answers)
        if isinstance(answer, EngineFault):
            raise answer
        return Reply(answer, b"", self._info, False), (10**9, 10**9, None, None)

    def end(self) -> LastWords:
        self.ended = True
        return LastWords(("you -> go",), "first line\nout of luck", "exit status 3")

    def named(self, name: str) -> Opponent:
        return Opponent(name, f"./{name} --fast", self, self.end)


CRASH = EngineFault(Fault.CRASH, "the process is gone")


class Played(TerminalDisplay):
    """One game, and what came of it."""

    def __init__(
        self,
        typed: Sequence[str],
        engine: Scripted | None = None,
        *,
        variant: str = "scottish",
        person: int = 0,
        tc: str | None = None,
        path: Path | None = None,
        others: dict[str, Scripted] | None = None,
        saved: GameRecord | None = None,
        typing: bool = False,
    ) -> None:
        super().__init__(ascii_only=True)
        self.left = list(typed)
        self._others = others or {}
        opponent = None if engine is None else engine.named("robot")
        engines = (None, engine) if person == 0 else (engine, None)
        limit = parse(tc) if tc else None if engine is None else parse("movetime=100")
        rules, start = resolve(variant)
        game = HumanGame(rules, start, engines, limit)
        if saved is not None:
            game.resume(saved)
        names = ("human-p1", "human-p2") if engine is None else ("human", "robot")[:: 1 if person == 0 else -1]
        self.path = path
        file = GameFile(GAME_ID, BEGUN, path)
        self.now_ns = 0
        session = HumanGameSession(game, names, file, self._start, opponent, now_ns=lambda: self.now_ns)
        TerminalGame(session, self).run(typing)

    def ask(self, prompt: str, wait_ns: int | None) -> str | None:
        print(prompt, end="")
        if not self.left:
            return None
        self.now_ns += 10**9  # whoever types thinks for a second
        typed = self.left.pop(0)
        if typed == "(waits)":
            raise TimeoutError
        if typed == "(Ctrl-C)":
            raise KeyboardInterrupt
        print(typed)
        return typed

    def _start(self, name: str) -> Opponent:
        if name not in self._others:
            raise BadInput(f"engine {name!r} is not registered")
        return self._others[name].named(name)

    @property
    def record(self) -> GameRecord:
        """The saved game, which the rules agree with."""
        assert self.path is not None
        (game,) = read_games(self.path)
        assert game.record is not None, game.refusal
        if self.path.suffix != ".pgn":
            assert [wrong for _, wrong in check_lines(self.path.read_bytes().splitlines())] == [[]]
        return game.record


def test_a_game_begins_with_the_rules_in_five_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """They come before the board, and `rules` tells them again."""
    Played(["rules", "quit"], Scripted())
    shown = capsys.readouterr().out
    assert shown.startswith("The Scottish game (scottish)\n8 attackers (p1) and")
    assert shown.index("He wins when he reaches the edge") < shown.index("   a b c d e f g")
    assert shown.count("8 attackers (p1) and") == 2


def test_a_hint_is_what_the_engine_would_play_with_its_score_and_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is played by it."""
    info = b"info depth 7 score cp 31 pv d1c1 d3b3 c1d1"
    played = Played(["hint", "d1c1", "quit"], Scripted("d1c1", "d3b3", info=info), typing=True)
    shown = capsys.readouterr().out
    assert "robot would play d1c1 (depth 7, score cp 31, line d1c1 d3b3 c1d1)" in shown
    assert "robot plays d3b3 (1.0 s, depth 7, score cp 31)" in shown
    assert played.left == []


def test_two_people_play_take_back_and_agree_on_a_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Undo takes back one ply, whoever played it."""
    played = Played(["d1c1", "d3b3", "undo", "d3c3", "draw", "n", "draw", "y"], path=tmp_path / "two.jsonl")
    shown = capsys.readouterr().out
    assert "1. attackers: d1c1" in shown and "1. defenders: d3b3" in shown
    assert "1 ply taken back" in shown and "a draw: both agreed" in shown
    assert "defenders: do you agree to a draw?" in shown and "no draw: the game goes on" in shown
    record = played.record
    assert (record.p1, record.p2, record.moves) == ("human-p1", "human-p2", ("d1c1", "d3c3"))
    assert (record.winner, record.termination, record.tc) == ("draw", Termination.DRAW_AGREED, "-")


def test_the_rules_end_a_game_of_two_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The winner is called by his side."""
    played = Played("d1c1 d3b3 c1d1 d4d3 d1c1 d3g3".split(), path=tmp_path / "two.jsonl")
    shown = capsys.readouterr().out
    assert "p2 (defenders) wins: the king escaped" in shown
    assert "=k=" in shown and "= = where the king escaped" in shown
    assert (played.record.winner, played.record.termination) == ("p2", "king-escaped")


@pytest.mark.parametrize("name", ["game.jsonl", "game.pgn"])
def test_a_saved_game_goes_on_with_its_clocks(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Saved after every move, it has the time that each side has left, and goes on in the same file."""
    path = tmp_path / name
    first = Played(["d1c1"], Scripted("d3b3"), tc="60+1", path=path)
    assert "the game is saved: arena play './robot --fast' --resume" in capsys.readouterr().out
    saved = first.record
    assert (saved.id, saved.started_at, saved.termination) == (GAME_ID, BEGUN, Termination.UNFINISHED)
    assert (saved.tc, saved.plies[1].left_ms) == ("60+1", 60_000)
    second = Played(["c1d1", "resign"], Scripted("d4d3"), tc="60+1", path=path, saved=saved)
    shown = capsys.readouterr().out
    assert "the game goes on after ply 2" in shown and "robot wins: you resigned" in shown
    record = second.record
    assert (record.moves, record.winner) == (("d1c1", "d3b3", "c1d1", "d4d3"), "p2")
    assert [ply.left_ms for ply in record.plies[1::2]] == [60_000, 60_000]
    assert record.termination == Termination.RESIGNATION


def test_save_keeps_the_game_from_then_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is there is not replaced, a folder that is missing is told, and the game goes on."""
    path, there = tmp_path / "My Game.jsonl", tmp_path / "there.txt"
    there.write_text("precious")
    typed = ["save", f"save {there}", f"save {tmp_path / 'no' / 'game.jsonl'}", f"save {path}", "d1c1", "resign"]
    Played(typed, Scripted("d3b3"))
    shown = capsys.readouterr().out
    assert "write `save` and a file's name" in shown and "exists already; name another file" in shown
    assert f"save '{tmp_path / 'no' / 'game.jsonl'}': " in shown
    assert f"the game is saved: arena import '{path}' --into games.db" in shown
    assert there.read_text() == "precious"
    assert json.loads(path.read_text())["termination"] == "resignation"


def test_leaving_loses_no_game_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    """The first `quit` says how to save. A game that ended is asked for at a terminal."""
    played = Played(["d1c1", "quit", "quit", "d2c2"], Scripted("d3b3"))
    assert played.left == ["d2c2"]
    assert "the game is not saved: `save FILE` keeps it, `quit` again leaves" in capsys.readouterr().out
    assert Played(["quit", "d1c1"], Scripted()).left == ["d1c1"]


def test_ctrl_c_leaves_and_tells_where_the_game_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In its file, or in its moves."""
    with pytest.raises(KeyboardInterrupt):
        Played(["d1c1", "(Ctrl-C)"], Scripted("d3b3"))
    assert "the game is not saved; its moves: d1c1 d3b3" in capsys.readouterr().out
    with pytest.raises(KeyboardInterrupt):
        Played(["d1c1", "(Ctrl-C)"], Scripted("d3b3"), path=tmp_path / "game.jsonl")
    assert "the game is saved: arena play" in capsys.readouterr().out


def test_a_line_that_the_engine_holds_is_a_check(capsys: pytest.CaptureFixture[str]) -> None:
    """The person is warned before the turn that must break it, and only then."""
    turns = "f5 g6 f5d4d6 g6e5f4 d4c6f3 e5f7g4 f3d4e5 g4f2f6 d6b5f7".split()
    Played([*turns[::2], "quit", "quit"], Scripted(*turns[1::2], "g7e6e2"), variant="callanish-7")
    told = capsys.readouterr().out
    assert "You play as White against robot. `help` lists what you can type." in told
    assert told.count("check: Black holds file f, and wins unless this turn breaks it\n5. you (White): d6b5f7") == 1
    assert told.count("check: ") == 1


def test_a_broken_engine_is_told_with_its_reason_and_another_one_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The fault, how the process ended and the end of its stderr; a wrong name is told and asked for again."""
    path, second = tmp_path / "game.jsonl", Scripted("d3b3")
    played = Played(
        ["d1c1", "what", "engine", "engine nobody", "engine second", "resign"],
        Scripted(CRASH),
        path=path,
        others={"second": second},
    )
    shown = capsys.readouterr().out
    assert (
        "robot loses: crash (the process is gone); exit status 3\n  stderr: first line\n  stderr: out of luck" in shown
    )
    assert "type `engine NAME`" in shown and "engine 'nobody' is not registered" in shown
    assert "second plays d3b3" in shown and "second wins: you resigned" in shown
    assert (played.record.p2, played.record.moves) == ("second", ("d1c1", "d3b3"))


@pytest.mark.parametrize(
    ("answer", "termination"),
    [
        (CRASH, Termination.CRASH),
        (EngineFault(Fault.TIME, "too late"), Termination.TIME),
        ("a1a7", Termination.ILLEGAL_MOVE),
    ],
)
def test_leaving_after_a_fault_records_who_lost_by_what(
    tmp_path: Path, answer: str | EngineFault, termination: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the evidence, as a tournament stores it."""
    record = Played(["d1c1", "quit"], Scripted(answer), path=tmp_path / "game.jsonl").record
    assert (record.winner, record.termination) == ("p1", termination)
    assert record.evidence is not None and record.evidence.exit == "exit status 3"
    assert f"you win: {termination}" in capsys.readouterr().out


def test_a_persons_clock_runs_from_the_board_over_wrong_moves_to_the_move(tmp_path: Path) -> None:
    """The other side's clock stands meanwhile."""
    played = Played(["d1c2", "help", "d1c1", "d3b3", "undo", "d3b3"], tc="60+1", path=tmp_path / "game.jsonl")
    assert [(ply.wall_us, ply.left_ms) for ply in played.record.plies] == [(3_000_000, 58_000), (1_000_000, 60_000)]


def test_the_clock_of_a_person_ends_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A loss on time, also between two people."""
    played = Played(["d1c1", "(waits)"], tc="60+1", path=tmp_path / "game.jsonl")
    assert "the time of p2 (defenders) is up: p1 (attackers) wins" in capsys.readouterr().out
    assert (played.record.winner, played.record.termination) == ("p1", Termination.TIME)


def test_a_file_that_cannot_be_written_any_more_is_told_and_the_game_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its folder has gone."""
    folder = tmp_path / "folder"
    folder.mkdir()
    seen: list[str] = []

    class Removing(Scripted):
        def search(self, go_line: bytes, budget_ns: int, fault: Fault) -> tuple[Reply, Spent]:
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()
            seen.append("removed")
            return super().search(go_line, budget_ns, fault)

    Played(["d1c1", "resign"], Removing("d3b3"), path=folder / "game.jsonl")
    shown = capsys.readouterr().out
    assert seen and "the game cannot be saved: " in shown and "robot wins: you resigned" in shown
