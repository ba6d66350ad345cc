"""What relay, hub and client add to a move on the loopback: `python -m benchmarks.speed.guest_line [MOVES] [--flood]`.

An engine that answers at once is asked directly and over a line, in turn. With `--flood` another guest writes as much
as it can in a game of its own meanwhile.
"""

import contextlib
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from protocol import grammar
from protocol.faults import EngineFault, Fault
from protocol.process import Command, EngineProcess
from protocol.session import Session
from tests.host.guests import Lab, connected, hub, session
from tests.host.test_lines import FLOOD

MOVES = 2_000
GO = b"go p1time 60000 p2time 60000 p1inc 0 p2inc 0\n"


def begin(line: Session) -> None:
    line.handshake()
    line.new_game()


def moved_ms(line: Session, plies: int) -> float:
    """The time of a move: position, readyok, go, bestmove."""
    position = grammar.position(None, ["e5"] * plies)[:-1]
    since_ns = time.perf_counter_ns()
    line.prepare(position)
    line.search(GO, 60_000_000_000, Fault.TIME)
    return (time.perf_counter_ns() - since_ns) / 1e6


def flood(lab: Lab, over: threading.Event) -> None:
    """Games of a guest that floods, one after the other."""
    while not over.is_set():
        with session(lab.spec("flood")) as line, contextlib.suppress(EngineFault):
            begin(line)
            line.search(GO, 60_000_000_000, Fault.TIME)


def told(name: str, times_ms: list[float]) -> str:
    ranked = sorted(times_ms)
    return f"{name}: median {statistics.median(ranked):.3f} ms, 99 % {ranked[int(0.99 * len(ranked))]:.3f} ms"


def main() -> None:
    moves = int(next((word for word in sys.argv[1:] if word.isdigit()), MOVES))
    direct: list[float] = []
    over_line: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        hub(Path(folder), "fox", "flood") as lab,
        contextlib.ExitStack() as held,
    ):
        held.enter_context(connected(lab, "fox"))
        over = threading.Event()
        if "--flood" in sys.argv:
            (lab.folder / "flood.py").write_text(FLOOD)
            held.enter_context(connected(lab, "flood", (sys.executable, str(lab.folder / "flood.py"))))
            thread = threading.Thread(target=flood, args=(lab, over))
            thread.start()
            held.callback(thread.join)
            held.callback(over.set)
        alone = held.enter_context(EngineProcess.spawn(Command(lab.engine())))
        engine, guest = Session(alone), held.enter_context(session(lab.spec("fox")))
        begin(engine)
        begin(guest)
        for number in range(moves):
            direct.append(moved_ms(engine, 1 + number % 60))
            over_line.append(moved_ms(guest, 1 + number % 60))
    print(told("direct", direct))
    print(told("over the line", over_line))


if __name__ == "__main__":
    main()
