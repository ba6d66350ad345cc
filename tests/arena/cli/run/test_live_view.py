"""The screen of a running tournament, and its stream of events."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from arena.cli.run.live_view import View
from arena.play.event_log import EventLog, Events
from arena.play.jobs import GameJob, Terms
from arena.play.observers import Glimpse, Observers
from arena.play.time_control import parse
from results.record import GameRecord, Run, Termination, Winner

RUN = Run("abc", "cup", "tournament", "2026-01-02T03:04:05+00:00", "{}", 7, 40, "box", "{}")


def job(number: int) -> GameJob:
    """Game `number` between ann and bob."""
    return GameJob(
        id=f"abc-{number}",
        number=number,
        round=1,
        variant="callanish-9",
        fen=None,
        opening_plies=0,
        opening_seed="",
        p1="ann",
        p2="bob",
        seed=1,
        terms=Terms(parse("5+0.05")),
    )


def record(number: int, winner: Winner | None, termination: Termination = Termination.LINE) -> GameRecord:
    """What came of it."""
    return GameRecord(
        id=f"abc-{number}",
        number=number,
        round=1,
        variant="callanish-9",
        p1="ann",
        p2="bob",
        fen="9/9/9 p1 1",
        opening=("a1",),
        plies=(),
        winner=winner,
        termination=termination,
        detail="",
        tc="5+0.05",
        seed=1,
        started_at="2026-01-02T03:04:06+00:00",
        wall_ms=3,
        host="box",
    )


def shown(view: View) -> str:
    """The screen as text."""
    out = io.StringIO()
    Console(file=out, width=100).print(view)
    return out.getvalue()


def test_the_screen_shows_running_games_with_clocks_move_and_score() -> None:
    """And no longer when they are over."""
    view = View("cup", 40, 3, lambda: 0.0)
    view.began(0, job(4))
    view.glimpsed(0, Glimpse(12, "c4a3b2", (4321, 4990), ("cp 31", "mate -4")))
    text = shown(view)
    for word in ("4", "ann", "bob", "12", "c4a3b2", "4.3 5.0", "cp 31 | mate -4", "3 of 40 games"):
        assert word in text
    view.ended(0, record(4, "p1"))
    assert "c4a3b2" not in shown(view)


def test_the_screen_counts_points_faults_and_the_time_to_go() -> None:
    """Two of four games in two seconds: two seconds to go."""
    clock = iter([0.0, 2.0, 2.0])
    view = View("cup", 4, 0, lambda: next(clock))
    view.ended(0, record(1, "p1", Termination.CRASH))
    view.ended(0, record(2, "draw"))
    view.ended(0, record(3, None))
    assert view.head() == "cup: 2 of 4 games, 1.0 games/s, 0:00:02 to go, 1 fault"
    rows = [line.split() for line in shown(view).splitlines()]
    assert ["ann", "2", "1", "1", "0", "75.0", "%"] in rows
    assert ["bob", "2", "0", "1", "1", "25.0", "%", "1"] in rows


def test_events_are_json_lines_that_name_run_time_and_game() -> None:
    """A withdrawal is told once, whoever tells it again."""
    lines: list[str] = []
    events = Events(RUN, lines.append, lambda: datetime(2026, 1, 2, tzinfo=UTC))
    events.run_began(RUN, ["ann", "bob"], 3)
    told = Observers([events, View("cup", 40, 3)])
    told.began(0, job(4))
    told.glimpsed(0, Glimpse(1, "a1", (None, None), ("", "")))
    told.ended(0, record(4, "p2", Termination.TIME))
    told.withdrew({"ann": "5 faults in a row"})
    told.withdrew({"ann": "5 faults in a row"})
    events.run_ended(4, interrupted=True)
    values = [json.loads(line) for line in lines]
    assert [value["event"] for value in values] == ["run", "start", "game", "withdrawn", "end"]
    assert {value["run"] for value in values} == {"abc"}
    assert values[0]["engines"] == ["ann", "bob"]
    assert (values[2]["number"], values[2]["winner"], values[2]["termination"]) == (4, "p2", "time")
    assert values[4] | {"stored": 4, "interrupted": True} == values[4]


def test_a_log_that_a_kill_cut_short_goes_on_with_whole_lines(tmp_path: Path) -> None:
    """It knows which games it names, and only those that count."""
    file = tmp_path / "events.jsonl"
    log = EventLog(file)
    events = Events(RUN, log.write)
    events.game(record(1, "p1"))
    events.game(record(2, None))
    events.game(record(3, "draw"))
    log.close()
    file.write_bytes(file.read_bytes() + b'{"event": "game", "run": "abc", "numb')
    log = EventLog(file)
    assert log.logged("abc") == {1, 3}
    assert log.logged("other") == set()
    Events(RUN, log.write).game(record(4, "p1"))
    log.close()
    assert [json.loads(line)["number"] for line in file.read_text().splitlines()] == [1, 2, 3, 4]
