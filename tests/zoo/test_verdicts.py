"""What a referee makes of the faults that were made for checks: the verdict that the list names, from two short games.

`make faults` and tests/arena/play/test_faults.py play the others.
"""

import pytest

from arena.games.game import Game
from arena.games.variants import resolve
from benchmarks.faults.rows import NAMED_ONLY
from protocol.containment.policy import Level, SandboxPolicy
from protocol.cpu_meter import CpuMeter, own_wait_ns
from protocol.faults import EngineFault, Fault
from protocol.process import Command, EngineProcess
from protocol.session import Session
from protocol.stopwatch import Stopwatch
from tests.zoo.animal import ENVIRONMENT, ZOO
from tests.zoo.catalogue import FAULTS
from tests.zoo.faults.fault import Verdict

MADE_FOR_CHECKS = [name for name in FAULTS if name in NAMED_ONLY]
QUICK = ("keeps-moves", "six-lines")


def judged(name: str) -> str:
    """The verdict of two short games in which an engine with this fault plays both sides."""
    late = 150 if FAULTS[name].verdicts[0][1] is Verdict.TIME else 20_000
    command = Command((*ZOO, "--fault", name), SandboxPolicy(Level.NONE, environment=ENVIRONMENT))
    with EngineProcess.spawn(command) as process:
        session, meter = Session(process), CpuMeter(process.box)
        try:
            session.handshake()
            session.set_option("UGI_Variant", "scottish")
            session.ready()
            for seed in "12":
                session.set_option("Seed", seed)
                session.new_game()
                play(session, late, Stopwatch(meter, own_wait_ns))
                session.game_over("p1win", "time")
            session.quit()
        except EngineFault as fault:
            return fault.fault
        finally:
            meter.close()
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


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in MADE_FOR_CHECKS]
)
def test_a_fault_that_was_made_for_a_check_gets_its_verdict(name: str) -> None:
    """Two short games hardly ever show it, so that the list calls it harmless."""
    (expected,) = FAULTS[name].verdicts
    assert ("first", judged(name)) == expected
