"""Values of running games and runs, for tests."""

from dataclasses import replace
from pathlib import Path

from arena.live.file import EventFile, Telling, events_path
from arena.live.state import LiveGame, LiveMachine, LiveResult, LiveRun, LiveScore, begin
from arena.play.jobs import GameJob, Terms
from arena.play.snapshots import GameSnapshot, Thought
from arena.run.events import Event, values
from arena.timing.time_control import parse
from results.record import GameRecord, Winner
from tests.results.made import game_of

START = "7/7/7/7/7/7/7 p1 1"
MOVES = ("b6d5d7", "d2b3e4", "d5c7e7")
"""Of a game with the opening b6 d2."""
GAME = LiveGame(
    slot=0,
    id="abc-4",
    number=4,
    round=1,
    variant="callanish-7",
    p1="ann",
    p2="bob",
    tc="5+0.05",
    began_ns=0,
    fen=START,
    opening=("b6", "d2"),
    moves=MOVES,
    scores=("cp 13", "cp -10", ""),
    plies=5,
    last="d5c7e7",
    left_ms=(4321, 65_000),
    turn=1,
    thinking_since_ns=1_000_000_000,
    thoughts=(Thought("cp 31", 7, 818, "d7b6e5 e4c3c5"), Thought("mate -4")),
)


def beginning(games: int | None = 40, stored: int = 3) -> LiveRun:
    """A run that begins at moment 0."""
    return replace(begin("cup", "abc", "tournament", stored, games, False), began_ns=0)


def running(*games: LiveGame, **changes: object) -> LiveRun:
    """A run in which these games are played."""
    return replace(beginning(), playing=games, **changes)  # type: ignore[arg-type]


def full() -> LiveRun:
    """A run of which everything is known."""
    result = LiveResult(3, "callanish-7", "ann", "bob", "p1", "time", "too late", 9)
    return running(
        GAME,
        replace(GAME, slot=1, id="abc-5", moves=None, scores=()),
        scores={"ann": LiveScore("ann", 1, 2, 3, 4)},
        withdrawn={"bob": "5 faults in a row"},
        status=(("LLR 1.5", "82 games"),),
        last=(replace(result, winner="draw"),),
        lost=(result,),
        machines=(LiveMachine("m1", 2, 36), LiveMachine("m2", 2, 4)),
    )


def job(number: int, variant: str = "callanish-7") -> GameJob:
    """Game `number` between ann and bob."""
    return GameJob(f"abc-{number}", number, 1, variant, None, 0, "", "ann", "bob", 1, Terms(parse("5+0.05")))


def snapshot(number: int, moves: tuple[str, ...] = (), from_ply: int = 0) -> GameSnapshot:
    """A snapshot of game `number`, whose scores are all the same."""
    return GameSnapshot(
        f"abc-{number}",
        START,
        ("b6", "d2"),
        from_ply,
        moves,
        ("cp 1",) * len(moves),
        (4321, 4990),
        (from_ply + len(moves)) % 2,
        None,
        (Thought("cp 31"), Thought("mate -4")),
    )


def record(number: int, winner: Winner | None, termination: str = "line") -> GameRecord:
    """What came of game `number`."""
    played = {"variant": "callanish-7", "fen": START, "opening": ("b6", "d2"), "plies": (), "tc": "5+0.05", "seed": 1}
    return game_of(job(number), winner=winner, termination=termination, **played)


class Told(Telling):
    """Tells of a run that begins at moment 0."""

    def __init__(self, games: int | None = 40, stored: int = 3) -> None:
        super().__init__(beginning(games, stored))

    def hear(self, *events: Event) -> None:
        """These happened together. A game begins at moment 0."""
        told = [values("abc", event) for event in events]
        self.tell([{**event, "at_ns": 0} if event["event"] == "start" else event for event in told])

    @property
    def run(self) -> LiveRun:
        return self.state


_HELD: dict[Path, EventFile] = {}
"""The files of runs that are played, as far as others can see."""


def written(db: Path, run: LiveRun, *, is_played: bool = True) -> Path:
    """The event file of a run that stands so, beside its database."""
    path = events_path(db, run.run)
    before, file = _HELD.pop(path, None), EventFile(db, Telling(run))
    if is_played:
        _HELD[path] = file
    else:
        file.close()
    if before is not None:
        before.close()
    return path


def database(folder: Path) -> Path:
    """Stands for a database, beside which there are event files."""
    db = folder / "cup.db"
    db.write_bytes(b"SQLite format 3\0")
    return db
