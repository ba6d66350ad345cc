"""How games ended, in words."""

from dataclasses import replace

from results.record import Evidence, GameRecord, Termination, Winner
from results.store.store import Store
from results.tables.endings import FaultGroup, ending_text, fault_groups
from results.tables.render import standings_notes
from results.tables.standings import standings
from tests.results.made import GAME, PLAYERS, RUN, numbered

LATE = Evidence("p2", "time", "late", "", (), "", machine=True)


def test_a_game_is_told_in_a_line() -> None:
    """A fault by its loser and its kind, another end by its winner and the ply."""
    cases: list[tuple[Winner | None, str, str, str]] = [
        (
            "p2",
            Termination.ILLEGAL_MOVE,
            "a1 at ply 3 is not legal in 9/9/9 p1 1",
            "ann lost by illegal-move: a1 at ply 3",
        ),
        ("p1", Termination.CRASH, "exit status 1", "bob lost by crash: exit status 1"),
        ("p1", Termination.STALL, "", "bob lost by stall"),
        ("p2", "line", "", "bob won by line at ply 4"),
        ("draw", "repetition", "", "a draw by repetition at ply 4"),
        (None, Termination.UNFINISHED, "stopped", "no result: stopped"),
    ]
    for winner, termination, detail, said in cases:
        assert ending_text(replace(GAME, winner=winner, termination=termination, detail=detail)) == f"game 1: {said}"


def test_a_game_that_only_the_machine_lost_is_no_fault() -> None:
    """The line says so."""
    late = replace(GAME, termination=Termination.TIME, evidence=LATE)
    assert ending_text(late) == "game 1: ann won by time at ply 4 (only the machine was late)"


def test_a_game_that_was_lost_by_a_line_is_not_the_machines() -> None:
    """Its sentence and the notes of the standings say what was late."""
    down = "no move after 5000 ms; the line to the engine was down during this game"
    lost = replace(GAME, termination=Termination.TIME, evidence=LATE, detail=down, tc="5+0.2 lag=250")
    assert ending_text(lost) == "game 1: ann won by time at ply 4 (the line was down)"
    assert lost.machine and not lost.flagged
    assert any(note.startswith("machine or line late: bob") for note in standings_notes(standings([lost])))


def test_a_crash_is_told_with_the_engines_last_words() -> None:
    """Node, Java and Go write a stack behind them."""
    said = "Error: ENOENT: no such file, open 'w'\n    at f\n\nNode.js v20\n"
    crash = Evidence("p2", "crash", "", "", (), said)
    game = replace(GAME, winner="p1", termination=Termination.CRASH, detail="exit status 1", evidence=crash)
    assert ending_text(game).endswith("exit status 1; its last words on stderr: Error: ENOENT: no such file, open 'w'")


def test_an_engine_that_never_answers_a_go_is_asked_whether_it_flushes() -> None:
    """One that has answered before does."""
    for said, asked in (("bob -> bestmove a1", False), ("bob -> readyok", True)):
        late = Evidence("p2", "time", "", "", (said, "bob <- go movetime 50"), "")
        game = replace(GAME, winner="p1", termination=Termination.TIME, detail="late", evidence=late)
        assert ("does it flush its output?" in ending_text(game)) is asked


def test_a_program_behind_an_adapter_is_told_of_a_margin_where_its_first_move_takes_long() -> None:
    """Its adapter flushes. Large tables are filled on the clock."""
    lines = ("bob <- setoption name UGI_Side value p1", "bob <- isready", "bob -> readyok", "bob <- go movetime 2500")
    game = replace(GAME, winner="p1", termination=Termination.TIME, evidence=Evidence("p2", "time", "", "", lines, ""))
    assert "flush" not in ending_text(game) and "give the engine a `margin`" in ending_text(game)


def lost(number: int, winner: Winner, termination: str) -> GameRecord:
    return replace(numbered(number), winner=winner, termination=termination)


def test_faults_are_counted_by_engine_and_kind() -> None:
    """Most games first, each with its first game; a win by the opponent's fault and a late machine are none."""
    games = [
        numbered(1),
        replace(lost(2, "p1", Termination.TIME), evidence=LATE),
        lost(3, "p1", Termination.TIME),
        lost(4, "p2", Termination.TIME),
        lost(5, "p1", Termination.TIME),
        lost(6, "p1", Termination.CRASH),
        replace(lost(7, "p2", Termination.STALL), evidence=LATE),
        lost(8, "p2", Termination.STALL),
    ]
    assert {row.name: row.forfeits for row in standings(games).rows} == {"ann": 2, "bob": 3}
    with Store.in_memory() as store:
        store.add_run(RUN, PLAYERS)
        for game in games:
            store.add_game(game)
        found = fault_groups(store, RUN.id)
        assert found == [
            FaultGroup("bob", Termination.TIME, 2, 3),
            FaultGroup("ann", Termination.STALL, 1, 8),
            FaultGroup("ann", Termination.TIME, 1, 4),
            FaultGroup("bob", Termination.CRASH, 1, 6),
        ]
        assert fault_groups(store, RUN.id, 1) == found[:1]
        assert fault_groups(store, "another") == []
