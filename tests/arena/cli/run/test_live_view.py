"""The screen of a running tournament, and its stream of events."""

import io
import itertools
import json
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from arena.cli.run.live_view import View
from arena.live.reader import LiveFiles
from arena.live.state import LiveResult, LiveRun, LiveScore
from arena.run.event_log import EventLog
from arena.run.events import GameEnded, GameStarted, Plies, Withdrawn, public, values
from results.record import GameRecord, Termination
from tests.arena.live.made import GAME, START, Told, database, full, job, record, running, snapshot, written


def lines(run: LiveRun, width: int = 100, height: int = 40, now_ns: int = 2_000_000_000) -> list[str]:
    """The screen as text."""
    out = io.StringIO()
    Console(file=out, width=width, height=height).print(View(lambda: run, lambda: now_ns), end="")
    return out.getvalue().splitlines()


def shown(run: LiveRun, now_ns: int = 2_000_000_000) -> str:
    return "\n".join(lines(run, now_ns=now_ns))


def test_the_screen_shows_running_games_with_board_clocks_move_and_score() -> None:
    """The clock of the side that thinks runs. A game that is over is not shown any more."""
    text = shown(running(GAME))
    for word in ("game 4", "ply 5", "d5c7e7", "  ann", "4.3", "cp 31  d7  d7b6e5 e4c3c5", "mate -4", "3 of 40 games"):
        assert word in text
    (to_move,) = [line for line in text.splitlines() if line.startswith("> bob")]
    assert to_move.split() == [">", "bob", "1:04"]
    board = [line.rstrip() for line in text.splitlines() if line.startswith("7 ")]
    assert board == ["7  · ·[○]○[○]· ·"]
    assert "d5c7e7" not in shown(running())


def test_a_game_whose_board_is_not_known_has_a_line() -> None:
    """One that has just begun, one whose moves a file left out, and one whose moves nobody can play."""
    begun = replace(GAME, fen="", opening=(), moves=(), plies=0, last="", number=71)
    long = replace(GAME, slot=1, id="abc-72", moves=None, number=72)
    false = replace(GAME, slot=2, id="abc-73", moves=("a1a1a1",), number=73)
    rows = [line.split()[:4] for line in lines(running(begun, long, false))]
    for number in ("71", "72", "73"):
        assert [number, "ann", "bob", "callanish-7"] in rows
    assert "[○]" not in shown(running(begun, long, false))


@pytest.mark.parametrize(
    ("width", "height", "games"), [(80, 24, 2), (100, 30, 0), (40, 12, 4), (200, 60, 1), (20, 3, 4)]
)
def test_the_screen_is_never_larger_than_the_terminal(width: int, height: int, games: int) -> None:
    """No line wraps, and one line of the terminal stays free. The number of games is always told."""
    variant, fen = ("callanish-7", START) if games in (0, 2) else ("callanish-25", "/".join(["25"] * 25) + " p1 1")
    each = replace(GAME, variant=variant, fen=fen, opening=(), moves=("a1",), p1="a-very-long-name-of-an-engine")
    playing = [replace(each, slot=slot, id=f"abc-{slot}") for slot in range(games)]
    scores = [LiveScore(f"engine with a long name {number}", 3, 1, 2, number) for number in range(30)]
    lost = LiveResult(9, variant, "ann", "bob", "p1", "illegal-move", "z9 at ply 3 is not legal in " + fen, 4)
    told = ("LLR 1.55 (-2.94, 2.94)", "Ptnml(0-2) 1 5 20 11 4"), ("Elo +51.2 +- 48.7", "LOS 98.2 %", "82 games")
    standings = {each.name: each for each in scores}
    run = running(*playing, scores=standings, last=(lost,), lost=(lost,), withdrawn={"ann": "x" * 99}, status=told)
    found = lines(run, width, height)
    assert len(found) < height and max(map(len, found)) <= width
    assert found[0].startswith("cup: 3 of 40 games"[: width - 1])


def test_two_boards_and_the_standings_fit_on_the_smallest_terminal() -> None:
    """Of 80 columns and 24 lines. On 40 columns one board stands alone, and the other game has a line."""
    scores = [LiveScore(name, 1) for name in ("ann", "bob", "cid", "dee")]
    two = running(GAME, replace(GAME, slot=1, id="abc-5", number=5), scores={each.name: each for each in scores})
    found = lines(two, 80, 24)
    assert any(line.count("[○]○[○]") == 2 for line in found)
    assert all(any(line.startswith(f"{each.name} ") for line in found) for each in scores)
    narrow = lines(two, 40, 30)
    assert sum(line.count("[○]○[○]") for line in narrow) == 1
    assert any(line.split()[:3] == ["5", "ann", "bob"] for line in narrow)


def test_whatever_figures_a_strangers_file_has_can_be_shown(tmp_path: Path) -> None:
    """Each figure by itself, and all at once. None of them stops the one who watches."""
    db = database(tmp_path)
    path = written(db, full())
    whole = path.read_text()
    numbers = r"(?<=[ \[])-?\d+(?=[,\]}])"
    figures = [found.span() for found in re.finditer(numbers, whole)][1:]  # not the version
    signs = itertools.cycle(("-", ""))
    texts = [f"{whole[:start]}{next(signs)}{1 << 62}{whole[end:]}" for start, end in figures]
    texts.append(whole[: figures[0][0]] + re.sub(numbers, str(-1 << 62), whole[figures[0][0] :]))
    shown_at_all = 0
    for text in texts:
        path.write_text(text)
        (found,) = LiveFiles(db).look()
        if found.run is not None:
            shown_at_all += 1
            assert lines(found.run, 80, 24)
    assert shown_at_all > len(texts) / 2


def test_the_screen_counts_points_faults_and_the_time_to_go() -> None:
    """Two of four games in two seconds: two seconds to go."""
    told = Told(games=4, stored=0)
    told.hear(
        GameEnded(0, record(1, "p1", Termination.CRASH)), GameEnded(0, record(2, "draw")), GameEnded(0, record(3, None))
    )
    text = shown(told.run)
    assert text.startswith("cup: 2 of 4 games, 1.0 games/s, 0:00:02 to go, 1 fault\n")
    rows = [line.split() for line in text.splitlines()]
    assert ["ann", "2", "1", "1", "0", "75.0", "%"] in rows
    assert ["bob", "2", "0", "1", "1", "25.0", "%", "1"] in rows


def test_a_ladder_promises_no_end() -> None:
    """A ladder is never nearer to anything: how many games, in all and now, and how quickly they come."""
    told = Told(games=None, stored=40)
    assert lines(told.run)[0] == "cup: 40 games, 0 now"
    told.hear(*(GameEnded(0, ended) for ended in (record(1, "p1"), record(2, "p2"), record(3, None))))
    assert lines(told.run, now_ns=4_000_000_000)[0] == "cup: 42 games, 2 now, 30.0 games/min"
    told.say("paused", paused=True)
    assert lines(told.run)[0].startswith("cup: 42 games, paused, p goes on, 2 now")
    assert lines(told.run, 24)[:2] == ["cup: 42 games", "paused, p goes on"]


def test_events_are_json_lines_that_name_run_time_and_game() -> None:
    """Each has the fields of the page and no more: snapshots are no events."""
    told = [
        values("abc", event)
        for event in (
            GameStarted(0, job(4)),
            Plies(0, snapshot(4, ("b6d5d7",))),
            GameEnded(0, record(4, "p2", Termination.TIME)),
            Withdrawn("ann", "5 faults in a row"),
        )
    ]
    lines = [event for each in told if (event := public(each)) is not None]
    assert [event["event"] for event in lines] == ["start", "game", "withdrawn"]
    assert {event["run"] for event in lines} == {"abc"}
    assert (lines[1]["number"], lines[1]["winner"], lines[1]["termination"]) == (4, "p2", "time")
    assert "slot" not in lines[1]


def test_a_log_that_a_kill_cut_short_goes_on_with_whole_lines(tmp_path: Path) -> None:
    """It knows which games it names, and only those that count."""
    file = tmp_path / "events.jsonl"

    def write(log: EventLog, *games: GameRecord) -> None:
        for game in games:
            log.write(json.dumps(public(values("abc", GameEnded(0, game)))) + "\n")

    log = EventLog(file)
    write(log, record(1, "p1"), record(2, None), record(3, "draw"))
    log.close()
    whole = file.read_bytes()
    changed = [b'{"event": "game", "text": "abc"}', b'{"event": "game", "run": "abc"}', b'{"event": "game" "abc"']
    changed.append(b'{"event": "game", "run": "abc", "number": [4], "winner": "p1"}')
    file.write_bytes(whole + b"\n".join(changed) + b"\n")
    with closing(EventLog(file)) as log:
        assert log.logged("abc") == {1, 3}, "lines changed by hand name no games"
    file.write_bytes(whole + b'{"event": "game", "run": "abc", "numb')
    log = EventLog(file)
    assert log.logged("abc") == {1, 3}
    assert log.logged("other") == set()
    write(log, record(4, "p1"))
    log.close()
    assert [json.loads(line)["number"] for line in file.read_text().splitlines()] == [1, 2, 3, 4]
