"""How a run stands after each of its events."""

from dataclasses import replace

from arena.live.state import LAST, LiveScore, begin
from arena.run.events import GameEnded, GameStarted, Plies, Withdrawn
from results.record import Evidence, GameRecord, Termination
from results.store.store import Store
from tests.arena.live.made import GAME, Told, job, record, snapshot


def test_snapshots_add_up_to_the_game() -> None:
    """Each has the moves since the one before; one that begins at ply 0 tells the game anew."""
    told = Told()
    told.hear(GameStarted(0, job(4)))
    (game,) = told.run.playing
    assert (game.number, game.p1, game.tc, game.fen, game.last) == (4, "ann", "5+0.05", "", "")
    told.hear(Plies(0, snapshot(4)))
    assert told.run.playing[0].last == "d2", "the last move of the opening"
    told.hear(Plies(0, snapshot(4, ("b6d5d7",))), Plies(0, snapshot(4, ("d2b3e4", "d5c7e7"), from_ply=1)))
    (game,) = told.run.playing
    assert game.moves == ("b6d5d7", "d2b3e4", "d5c7e7") and len(game.scores) == 3 and game.plies == 5
    assert game.last == "d5c7e7" and game.opening == ("b6", "d2") and game.turn == 1
    told.hear(Plies(0, snapshot(4, ("b6c6d6",))))
    assert told.run.playing[0].moves == ("b6c6d6",)


def test_a_snapshot_that_does_not_fit_is_left_out() -> None:
    """It is of another game, or moves between are missing."""
    told = Told()
    told.hear(Plies(0, snapshot(4, ("a1",))), GameStarted(0, job(4)))
    told.hear(Plies(0, snapshot(5, ("a1",))), Plies(0, snapshot(4, ("a1",), from_ply=3)))
    assert told.run.playing[0].moves == ()


def test_standings_begin_with_the_stored_games() -> None:
    """The best first. Faults are the engines' own since the run went on."""
    with Store.in_memory() as store:
        store._conn.execute("PRAGMA foreign_keys = off")
        store.add_games([record(number, "p1") for number in (1, 2, 3)])
        state = begin("cup", "abc", "tournament", 3, 40, False, store)
    told = Told()
    told.state = state
    told.hear(GameEnded(0, record(4, "p2", Termination.CRASH)), GameEnded(0, record(5, "draw")))
    late = Evidence("p1", "time", "late", "", (), "", machine=True)
    told.hear(GameEnded(0, replace(record(6, "p2", Termination.TIME), evidence=late)))
    assert told.run.standings == [LiveScore("ann", 3, 1, 2, 1), LiveScore("bob", 2, 1, 3, 0)]
    assert told.run.faults == 1


def test_the_last_games_are_told_the_newest_first() -> None:
    """Those that were lost by a fault once more, for other games would hide them."""
    told = Told()
    told.hear(GameEnded(0, replace(record(1, "p1", Termination.ILLEGAL_MOVE), detail="x" * 9_999)))
    games: list[GameRecord] = [record(number, "draw") for number in range(2, LAST + 4)]
    told.hear(*(GameEnded(0, game) for game in games))
    run = told.run
    assert [result.number for result in run.last] == list(range(LAST + 3, 3, -1))
    (lost,) = run.lost
    assert (lost.number, lost.winner, lost.termination) == (1, "p1", "illegal-move") and len(lost.detail) < 999


def test_whoever_listens_hears_of_each_event_after_it_is_part_of_the_state() -> None:
    """The events of a ladder, a pause and the lines of a test among them."""
    told, heard = Told(), list[tuple[str, int]]()
    told.listeners.append(lambda events: heard.extend((event["event"], len(told.run.playing)) for event in events))
    told.hear(GameStarted(0, job(4)), Withdrawn("ann", "5 faults in a row"))
    told.say("paused", paused=True)
    told.say("status", status=[["LLR 0.00"]])
    assert told.run.paused and told.run.withdrawn == {"ann": "5 faults in a row"}
    told.say("out", withdrawn={"bob": "retired"})
    told.hear(GameEnded(0, record(4, "p1")))
    assert [event for event, _ in heard] == ["start", "withdrawn", "paused", "status", "out", "game"]
    assert [at_once for _, at_once in heard] == [1, 1, 1, 1, 1, 0]
    assert told.run.withdrawn == {"bob": "retired"} and told.run.status == (("LLR 0.00",),)


def test_the_clock_of_the_side_that_thinks_runs() -> None:
    """That of the other side stands still, and without a clock there is none."""
    at_ns = 3_500_000_000
    assert GAME.clock_ms(1, at_ns) == 65_000 - 2_500 and GAME.clock_ms(0, at_ns) == 4321
    assert GAME.clock_ms(1, 0) == 65_000
    assert replace(GAME, left_ms=(None, None)).clock_ms(1, at_ns) is None
    assert replace(GAME, thinking_since_ns=None).clock_ms(1, at_ns) == 65_000
