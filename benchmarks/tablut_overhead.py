"""How long the arena and the adapter take for a ply beside a client of the Tablut Challenge.

    python -m benchmarks.tablut_overhead [--games N] [--plies N] [--at-once]

Two clients of the tests' own play in `strict`, each with 0.6 s for a move, or with --at-once as fast as they can. Then
the adapter looks whether a client has read its last state, which takes milliseconds. Each client says how long it took
from the whole state to its sent answer. The rest of the time between two moves is overhead: the referee, the pipes, the
adapter, TCP, and waiting for a CPU.
"""

import argparse
import re
import statistics
import sys
import time
from pathlib import Path

from arena.games.game import Game
from arena.games.variants import resolve
from arena.play.engine_pool import LiveEngine
from arena.play.jobs import EngineSpec, Terms
from arena.play.referee import play
from arena.timing import time_control
from protocol.containment.policy import Level, SandboxPolicy

ROOT = Path(__file__).parents[1]
CLIENT = ROOT / "tests" / "engines" / "adapters" / "tablut_client.py"
LIMIT = time_control.parse("movetime=10000")


class Stamps(list[object]):
    """A log of moves that keeps when each one came."""

    def __init__(self) -> None:
        super().__init__()
        self.ns: list[int] = []

    def append(self, move: object) -> None:
        self.ns.append(time.monotonic_ns())
        super().append(move)


def overheads_ms(plies: int, seed: int, how: str) -> list[float]:
    """The overhead of each ply of a game but the first one of each side."""
    command = (sys.executable, "-P", "-m", "engines.adapters.tablut", sys.executable, str(CLIENT))
    words = ("{ROLE}", "{seconds}", "{host}", how)
    sandbox = SandboxPolicy(Level.STRICT, reads=(str(ROOT),), loopback=True)
    spec = EngineSpec("client", (*command, *words), sandbox=sandbox)
    rules, start = resolve("tablut-ashton")
    terms, stamps = Terms(LIMIT, max_plies=plies), Stamps()
    sides = [LiveEngine(spec), LiveEngine(spec)]
    try:
        for player, side in zip(sides, ("p1", "p2"), strict=True):
            player.announce(rules, seed, side, LIMIT)
        one, two = (player.seat(terms) for player in sides)
        end = play(Game(rules, start), (one, two), terms, stamps)  # type: ignore[arg-type]  # it only appends
        assert end.fault is None, end
        time.sleep(0.1)
        said = [player.process.stderr_tail().decode() for player in sides]
    finally:
        for player in sides:
            player.kill()
    took = [[int(number) for number in re.findall(r"took (\d+)", text)] for text in said]
    # The white client moves first, and it is p2.
    own_ns = [took[1 - ply % 2][ply // 2] for ply in range(len(stamps.ns))]
    return [(stamps.ns[ply] - stamps.ns[ply - 1] - own_ns[ply]) / 1e6 for ply in range(2, len(stamps.ns))]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tablut_overhead", description=__doc__)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--plies", type=int, default=20)
    parser.add_argument("--at-once", action="store_true")
    asked = parser.parse_args()
    how = "plays" if asked.at_once else "thinks"
    all_ms = sorted(ms for game in range(asked.games) for ms in overheads_ms(asked.plies, game, how))
    tenths = statistics.quantiles(all_ms, n=10)
    print(
        f"{len(all_ms)} plies: median {statistics.median(all_ms):.2f} ms, 10 % {tenths[0]:.2f}, 90 % {tenths[-1]:.2f}"
    )


if __name__ == "__main__":
    main()
