"""What a referee makes of each fault of the zoo: the verdict that the list names, from two short games."""

import pytest

from arena.games.game import Game
from arena.games.variants import resolve
from protocol.containment.policy import Level, SandboxPolicy
from protocol.deadlines import Deadlines
from protocol.faults import EngineFault, Fault
from protocol.process import Command, EngineProcess
from protocol.run_delay import EngineTasks, OwnThread
from protocol.session import Session
from protocol.stopwatch import Stopwatch
from tests.zoo.animal import ENVIRONMENT, ZOO
from tests.zoo.catalogue import FAULTS
from tests.zoo.faults.fault import Verdict

SMALL = {
    "flood-line": ("--limit", "1"),
    "flood-lines": ("--limit", "20"),
    "stderr-flood": ("--limit", "2"),
    "threads": ("--limit", "3"),
    "sleeps": ("--think", "5"),
    "burns-cpu": ("--cpu", "5"),
    "starves-opponent": ("--limit", "2"),
    "memory-hog": ("--limit", "8"),
    "fork-bomb": ("--limit", "3"),
    "fills-scratch": ("--limit", "2"),
    "reads-file": ("--path", "/proc/no/such/file"),
    "writes-file": ("--path", "/proc/no/such/file"),
    "removes-itself": ("--path", "/proc/no/such/file"),
    "replaces-itself": ("--path", "/proc/no/such/file"),
    "connects": ("--address", "127.0.0.1:9", "--transport", "udp"),
}
"""The arguments that keep a fault small, or give it something to be refused."""

ELSEWHERE = {"kills-parent", "ptraces", "orphan", "orphan-shouts"}
"""Faults that would reach this process or outlive the test; they have tests of their own."""

PAIRS = [(name, phase) for name, fault in FAULTS.items() if name not in ELSEWHERE for phase, _ in fault.verdicts]
QUICK = [
    ("silent", "first"),
    ("never-reads", "first"),
    ("exit-1", "mid"),
    ("two-words", "first"),
    ("null-move", "mid"),
    ("crlf", "handshake"),
]
"""One pair for each verdict; all pairs take about a minute."""


def judged(name: str, phase: str) -> str:
    """The verdict of two short games in which an engine with this fault plays both sides."""
    expected = dict(as_verdicts(name))[phase]
    short, long = 150, 20_000
    late = short if expected in (Verdict.TIME, Verdict.STALL) else long
    # Where a stall is no verdict, a busy machine must not bring one.
    ready = late if expected is Verdict.STALL else long
    deadlines = Deadlines(
        start_ms=ready if phase == "handshake" else long,
        ready_ms=ready if phase != "newgame" else long,
        newgame_ms=ready,
        quit_ms=100,
    )
    command = (*ZOO, "--fault", name, "--at", phase, "--ply", "2", *SMALL.get(name, ()))
    with EngineProcess.spawn(Command(command, SandboxPolicy(Level.NONE, environment=ENVIRONMENT))) as process:
        session, tasks, own = Session(process, deadlines), EngineTasks(process.cpu_pid, 1), OwnThread()
        try:
            session.handshake()
            session.set_option("UGI_Variant", "scottish")
            session.ready()
            for seed in "12":
                session.set_option("Seed", seed)
                session.new_game()
                play(session, late, Stopwatch("wall", tasks, own))
                session.game_over("p1win", "time")
            session.quit()
        except EngineFault as fault:
            return fault.fault
        finally:
            tasks.close()
            own.close()
    return "harmless"


def play(session: Session, late_ms: int, watch: Stopwatch) -> None:
    """Four plies. Raises EngineFault."""
    game = Game(*resolve("scottish"))
    while len(game.moves) < 4:
        moves = f" moves {' '.join(game.moves)}" if game.moves else ""
        budget_ms = 300 if late_ms < 300 else late_ms
        if session.prepare(f"position startpos{moves}".encode(), watch, budget_ms * 1_000_000) is not None:
            raise EngineFault(Fault.TIME, "reading the position took too long")
        word = session.search(b"go movetime 10\n", budget_ms * 1_000_000, Fault.TIME)[0].word
        if game.position.find(word) is None:
            known = game.rules.wellformed(word) or word in ("0000", "(none)", "resign")
            raise EngineFault(Fault.ILLEGAL_MOVE if known else Fault.MALFORMED_MOVE, word)
        game.play(word)


def as_verdicts(name: str) -> list[tuple[str, str]]:
    return [(phase, verdict) for phase, verdict in FAULTS[name].verdicts]


@pytest.mark.parametrize(("name", "phase"), QUICK)
def test_a_fault_gets_its_verdict(name: str, phase: str) -> None:
    """For each verdict there is a fault that brings it."""
    assert judged(name, phase) == dict(as_verdicts(name))[phase].replace("contained", "harmless")


@pytest.mark.long
@pytest.mark.parametrize(("name", "phase"), [pair for pair in PAIRS if pair not in QUICK])
def test_a_fault_gets_its_verdict_at_any_moment(name: str, phase: str) -> None:
    """Each fault at each moment that it allows brings the verdict that the list names for it."""
    assert judged(name, phase) == dict(as_verdicts(name))[phase].replace("contained", "harmless")
