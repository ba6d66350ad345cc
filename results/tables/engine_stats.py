"""The time, depth, nodes and CPU of each engine over many games. It adds up game by game and keeps no game."""

from collections import Counter
from dataclasses import dataclass, field

from results.plies import LATE_US
from results.record import Costs

PRECISE_BITS = 8
"""Binary digits to which times are rounded down. So a percentile is at most 0.8 % too small."""


@dataclass(frozen=True, slots=True)
class EngineStats:
    """The figures of one engine. A figure is None if no ply has it."""

    name: str
    games: int
    plies: int
    wall_mean_ms: float | None
    wall_p95_ms: float | None
    wall_max_ms: float | None
    cpu_mean_ms: float | None
    depth_mean: float | None
    nodes_mean: float | None
    nodes_per_s: float | None
    """By wall time, over the plies of which the nodes are known."""
    idle_cpu_mean_ms: float | None
    """The mean of a game, used in the opponent's time."""
    late_plies: int
    """Plies in which the machine was late."""
    late_share: float | None
    """The machine's share of the wall time, over the plies of which it is known."""
    reading_mean_ms: float | None
    """What reading the position took beyond what is free, the mean of all plies."""


@dataclass(slots=True)
class _Sums:
    """The sums of one engine in microseconds. A list of two has a count and a sum."""

    games: int = 0
    plies: int = 0
    wall: int = 0
    wall_most: int = 0
    late_plies: int = 0
    walls: Counter[int] = field(default_factory=Counter)
    cpu: list[int] = field(default_factory=lambda: [0, 0])
    depth: list[int] = field(default_factory=lambda: [0, 0])
    nodes: list[int] = field(default_factory=lambda: [0, 0])
    nodes_wall: int = 0
    idle: list[int] = field(default_factory=lambda: [0, 0])
    late: list[int] = field(default_factory=lambda: [0, 0])
    reading: int = 0


class Stats:
    def __init__(self) -> None:
        self._sums: dict[str, _Sums] = {}

    def add(self, game: Costs) -> None:
        """Add one game. Raises TypeError or ValueError for a figure that is no number."""
        one, two = (self._sums.setdefault(name, _Sums()) for name in (game.p1, game.p2))
        for sums, idle_us in ((one, game.p1_idle_us), (two, game.p2_idle_us)):
            sums.games += 1
            _add(sums.idle, idle_us)
        mover, other = (one, two) if game.first == "p1" else (two, one)
        for wall_us, cpu_us, _, depth, nodes, _, late_us, *reading_us in game.plies:
            if not isinstance(wall_us, int):
                raise TypeError(f"wall_us is {wall_us!r}")
            mover.plies += 1
            mover.wall += wall_us
            mover.wall_most = max(mover.wall_most, wall_us)
            shift = wall_us.bit_length() - PRECISE_BITS
            mover.walls[wall_us >> shift << shift if shift > 0 else wall_us] += 1
            _add(mover.cpu, cpu_us)
            _add(mover.depth, depth)
            if nodes is not None:
                _add(mover.nodes, nodes)
                mover.nodes_wall += wall_us
            if late_us is not None:
                if not isinstance(late_us, int):
                    raise TypeError(f"late_us is {late_us!r}")
                mover.late[0] += wall_us
                mover.late[1] += late_us
                mover.late_plies += late_us >= LATE_US
            for each in reading_us:
                if not isinstance(each, int):
                    raise TypeError(f"reading_us is {each!r}")
                mover.reading += each
            mover, other = other, mover

    def engines(self) -> list[EngineStats]:
        """The figures of each engine, sorted by name."""
        return [_figures(name, sums) for name, sums in sorted(self._sums.items())]


def _add(pair: list[int], figure: object) -> None:
    if figure is None:
        return
    if not isinstance(figure, int):
        raise TypeError(f"{figure!r} is not a whole number")
    pair[0] += 1
    pair[1] += figure


def _figures(name: str, sums: _Sums) -> EngineStats:
    return EngineStats(
        name=name,
        games=sums.games,
        plies=sums.plies,
        wall_mean_ms=_mean([sums.plies, sums.wall], 1000),
        wall_p95_ms=_percentile(sums.walls, 0.95, 1000),
        wall_max_ms=sums.wall_most / 1000 if sums.plies else None,
        cpu_mean_ms=_mean(sums.cpu, 1000),
        depth_mean=_mean(sums.depth),
        nodes_mean=_mean(sums.nodes),
        nodes_per_s=1e6 * sums.nodes[1] / sums.nodes_wall if sums.nodes_wall else None,
        idle_cpu_mean_ms=_mean(sums.idle, 1000),
        late_plies=sums.late_plies,
        late_share=sums.late[1] / sums.late[0] if sums.late[0] else None,
        reading_mean_ms=_mean([sums.plies, sums.reading], 1000),
    )


def _mean(pair: list[int], unit: int = 1) -> float | None:
    count, total = pair
    return total / count / unit if count else None


def _percentile(values: Counter[int], share: float, unit: int) -> float | None:
    """The smallest value that at least this share of all values does not exceed."""
    missing = share * values.total()
    for value, times in sorted(values.items()):
        missing -= times
        if missing <= 1e-9:
            return value / unit
    return None
