"""The statistics of games: what each engine used and said, how its games ended, and which games are remarkable."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from results.record import ResultCount
from results.store.filter import Filter, Order, Selection
from results.store.reader import Brief, Reader
from results.tables.engine_stats import EngineStats, Stats
from results.tables.rating_lists import MOST_PAIRED
from results.tables.text_width import some_games
from results.tally import all_pairs, by_time_control, pairs_note

_ORDERS: tuple[Order, ...] = ("longest", "shortest", "disputed")
MOST_REMARKABLE = 3
"""How many games of each kind are listed."""
_RESULTS = ("won", "drawn", "lost", "none")

Endings = dict[str, dict[str, Counter[str]]]
"""How many games an engine won, drew, lost and left without a result, by its name and the termination."""


@dataclass(frozen=True, slots=True)
class Statistics:
    engines: list[EngineStats]
    endings: Endings
    remarkable: dict[Order, list[Brief]]
    notes: list[str]
    """On late machines, pairs of games and time controls."""


def statistics(store: Reader, which: Filter) -> Statistics:
    """The statistics of these games. Raises StoreError."""
    stats = Stats()
    store.read_costs(which, stats.add)
    return Statistics(stats.engines(), endings(store.counts(which)), remarkable(store, which), notes(store, which))


def notes(store: Reader, which: Filter) -> list[str]:
    """What is worth to know of these games, and seldom changes what can be concluded. Raises StoreError."""
    counts = list(store.counts(which))
    found = []
    if late := sum(each.flagged for each in counts):
        found.append(f"machine late: {some_games(late)} with a ply in which a process waited for a CPU")
    few = sum(each.games for each in counts) <= MOST_PAIRED
    if few and (pairs := all_pairs(store.pairs(which))).pairs:
        found.append(pairs_note(pairs))
    if len(clocks := by_time_control(counts)) > 1:
        found.append(f"{len(clocks)} time controls: `arena standings` rates each of them with --by tc")
    return found


def remarkable(store: Reader, which: Filter) -> dict[Order, list[Brief]]:
    """The longest, shortest and most disputed of these games. Raises StoreError."""
    return {order: list(store.briefs(Selection(which, order, MOST_REMARKABLE))) for order in _ORDERS}


def statistics_json(stats: Statistics) -> dict[str, object]:
    """The statistics as plain values."""
    return {
        "engines": [{**asdict(each), "endings": stats.endings.get(each.name, {})} for each in stats.engines],
        "remarkable": {order: [game._asdict() for game in games] for order, games in stats.remarkable.items()},
    }


_COLUMNS: dict[str, tuple[str, float, int]] = {
    "ms mean": ("wall_mean_ms", 1, 1),
    "p95": ("wall_p95_ms", 1, 1),
    "max": ("wall_max_ms", 1, 1),
    "cpu ms": ("cpu_mean_ms", 1, 1),
    "depth": ("depth_mean", 1, 1),
    "nodes": ("nodes_mean", 1, 0),
    "nodes/s": ("nodes_per_s", 1, 0),
    "idle ms": ("idle_cpu_mean_ms", 1, 1),
    "late %": ("late_share", 100, 1),
    "read ms": ("reading_mean_ms", 1, 1),
}
"""The figures of an engine by their headings: which one, in what unit, with how many decimals."""


def csv_rows(engines: Iterable[EngineStats]) -> list[list[object]]:
    """The headings, and a row for each engine; no row at all without engines."""
    rows = [asdict(each) for each in engines]
    return [list(rows[0]), *(list(row.values()) for row in rows)] if rows else []


def engine_rows(engines: Iterable[EngineStats]) -> list[tuple[str, ...]]:
    """The headings, and a row of text for each engine."""
    rows: list[tuple[str, ...]] = [("engine", "games", "plies", *_COLUMNS)]
    for each in engines:
        figures = ((getattr(each, name), unit, digits) for name, unit, digits in _COLUMNS.values())
        texts = ("-" if figure is None else f"{unit * figure:.{digits}f}" for figure, unit, digits in figures)
        rows.append((each.name, str(each.games), str(each.plies), *texts))
    return rows


def ending_rows(counted: Endings) -> list[tuple[str, ...]]:
    """The headings, and a row of text for each engine and termination."""
    rows: list[tuple[str, ...]] = [("engine", "ending", *_RESULTS)]
    for name, by_termination in sorted(counted.items()):
        for word, games in by_termination.items():
            rows.append((name, word, *(str(games[result]) for result in _RESULTS)))
    return rows


def endings(counts: Iterable[ResultCount]) -> Endings:
    """How these games ended, engine by engine."""
    games: dict[str, dict[str, Counter[str]]] = {}
    for each in counts:
        for name, side in ((each.p1, "p1"), (each.p2, "p2")):
            result = {"draw": "drawn", None: "none", side: "won"}.get(each.winner, "lost")
            games.setdefault(name, {}).setdefault(each.termination, Counter())[result] += each.games
    return {name: dict(sorted(its.items())) for name, its in games.items()}
