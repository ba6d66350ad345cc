"""What is kept of a run while it is played."""

from dataclasses import replace

from arena.live.observer import LAST, LiveObserver, snapshot_ms
from arena.live.state import LiveMachine, LiveScore
from results.record import ResultCount, Termination
from tests.arena.live.made import GAME, head, job, observer, record, snapshot


def test_snapshots_add_up_to_the_game() -> None:
    """Each has the moves since the one before; one that begins at ply 0 tells the game anew."""
    watched = observer()
    watched.began(0, job(4))
    (game,) = watched.state.playing
    assert (game.number, game.p1, game.tc, game.fen, game.last) == (4, "ann", "5+0.05", "", "")
    watched.progressed(0, snapshot(4))
    assert watched.state.playing[0].last == "d2", "the last move of the opening"
    watched.progressed(0, snapshot(4, ("b6d5d7",)))
    watched.progressed(0, snapshot(4, ("d2b3e4", "d5c7e7"), from_ply=1))
    (game,) = watched.state.playing
    assert game.moves == ("b6d5d7", "d2b3e4", "d5c7e7") and len(game.scores) == 3 and game.plies == 5
    assert game.last == "d5c7e7" and game.opening == ("b6", "d2") and game.turn == 1
    watched.progressed(0, snapshot(4, ("b6c6d6",)))
    assert watched.state.playing[0].moves == ("b6c6d6",)


def test_a_snapshot_that_does_not_fit_is_left_out() -> None:
    """It is of another game, or moves between are missing."""
    watched = observer()
    watched.progressed(0, snapshot(4, ("a1",)))
    watched.began(0, job(4))
    watched.progressed(0, snapshot(5, ("a1",)))
    watched.progressed(0, snapshot(4, ("a1",), from_ply=3))
    assert watched.state.playing[0].moves == ()


def test_the_next_game_may_begin_before_the_last_one_is_told_as_ended() -> None:
    """The scheduler hands out the next game first."""
    watched = observer()
    watched.began(0, job(4))
    watched.began(0, job(5))
    watched.ended(0, record(4, "p1"))
    state = watched.state
    assert [game.number for game in state.playing] == [5] and state.done == 1 and state.ended == 4
    watched.ended(0, record(5, None))
    assert watched.state.playing == () and watched.state.done == 1


def test_standings_begin_with_the_stored_games() -> None:
    """The best first. Faults are those since the run went on."""
    counts = [ResultCount("callanish-7", "5+0.05", "ann", "bob", "p1", Termination.LINE, False, False, (), 3, 3)]
    watched = LiveObserver(head(), counts)
    watched.ended(0, record(4, "p2", Termination.CRASH))
    watched.ended(0, record(5, "draw"))
    assert watched.state.standings == (LiveScore("ann", 3, 1, 1, 1), LiveScore("bob", 1, 1, 3, 0))
    assert watched.state.faults == 1


def test_machines_are_told_with_their_slots_and_their_games() -> None:
    """Also one that joins later, and one that has ended no game yet. A game that lost its worker is played again."""
    machines: list[tuple[str, int]] = []
    watched = LiveObserver(head(), machines=lambda: machines)
    before = watched.state
    assert not before.machines
    machines += [("box", 2), ("late", 3)]
    watched.ended(0, record(4, None))
    watched.ended(0, record(4, "p2"))
    assert watched.state.machines == (LiveMachine("box", 2, 1), LiveMachine("late", 3, 0))


def test_the_last_games_are_told_the_newest_first() -> None:
    """Those that were lost by a fault once more, for other games would hide them."""
    watched = observer()
    watched.ended(0, replace(record(1, "p1", Termination.ILLEGAL_MOVE), detail="x" * 9_999))
    for number in range(2, LAST + 4):
        watched.ended(0, record(number, "draw"))
    state = watched.state
    assert [result.number for result in state.last] == list(range(LAST + 3, 3, -1))
    (lost,) = state.lost
    assert (lost.number, lost.winner, lost.termination) == (1, "p1", "illegal-move") and len(lost.detail) < 999


def test_whoever_wants_to_know_hears_of_each_change() -> None:
    """That is when a file is written."""
    watched, heard = observer(), list[int]()
    watched.changed = lambda: heard.append(watched.state.at_once)
    watched.began(0, job(4))
    watched.progressed(0, snapshot(4))
    watched.withdrew({"ann": "5 faults in a row"})
    watched.pause(True)
    watched.tell([["LLR 0.00"]])
    watched.ended(0, record(4, "p1"))
    assert heard == [1, 1, 1, 1, 1, 0]
    assert watched.state.paused and watched.state.withdrawn == {"ann": "5 faults in a row"}
    assert watched.state.status == (("LLR 0.00",),)


def test_many_games_are_looked_at_less_often_than_a_few() -> None:
    """A thousand must not keep the process busy that hands out the next ones."""
    assert snapshot_ms(1) == snapshot_ms(16) == 200
    assert 1000 / snapshot_ms(1000) * 1000 <= 100


def test_the_clock_of_the_side_that_thinks_runs() -> None:
    """That of the other side stands still, and without a clock there is none."""
    at_ns = 3_500_000_000
    assert GAME.clock_ms(1, at_ns) == 65_000 - 2_500 and GAME.clock_ms(0, at_ns) == 4321
    assert GAME.clock_ms(1, 0) == 65_000
    assert replace(GAME, left_ms=(None, None)).clock_ms(1, at_ns) is None
    assert replace(GAME, thinking_since_ns=None).clock_ms(1, at_ns) == 65_000
