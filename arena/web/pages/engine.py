"""The page of an engine: its rating, each opponent, each side, how its games ended, why it lost, its time."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from arena.web import figures
from arena.web.pages.games import age, shown
from arena.web.pages.source import Choice, Page, PageSource
from arena.web.privacy import Privacy
from results.eval_disagreement import centipawns
from results.record import FORFEITS, ResultCount, Side
from results.store.filter import Filter, Selection
from results.store.reader import Brief, Reader
from results.tables.engine_stats import Stats
from results.tables.statistics import endings
from results.tally import Tally, meetings

MOST_LOST = 20
"""Lost games that a page lists."""
MOST_TIMED = 500
"""The figures of time are those of an engine's last games, at most so many: each must be read whole."""


def engine_page(source: PageSource, choice: Choice, name: str) -> Page | None:
    """The page of an engine; None where no game and no run has it. Raises StoreError."""
    if name not in source.engines():
        return None
    store, lists = source.store, source.rating_lists()
    counts = [each for each in lists.overall.counts if name in (each.p1, each.p2)]
    row = next((row for row in lists.overall.standings.rows if row.name == name), None)
    stats = Stats()
    store.read_costs(Filter(engine=name), stats.add, MOST_TIMED)
    ends = endings(counts).get(name, {}).items()
    return Page(
        name=name,
        standing=row,
        opponents=_opponents(name, counts),
        variants=_variants(name, counts),
        endings=sorted(ends, key=lambda each: (each[1]["none"] - each[1].total(), each[0])),
        lost=_lost(store, name, source.privacy),
        stats=next((each for each in stats.engines() if each.name == name), None),
        versions=[(run.name, each) for run in store.runs() for each in store.players(run.id) if each.name == name],
        history=figures.history(name, [point for point in source.history() if name in point.ratings]),
    )


def _opponent(game: ResultCount | Brief, name: str) -> str:
    return game.p2 if game.p1 == name else game.p1


def _scores(name: str, counts: Iterable[ResultCount]) -> Iterator[tuple[ResultCount, Side, Tally]]:
    """The score on each side. Games without a result score nothing, and games against itself count on both sides."""
    for each in counts:
        score = meetings([each]).get((each.p1, each.p2), Tally())
        if each.p1 == name:
            yield each, "p1", score
        if each.p2 == name:
            yield each, "p2", score.reversed


def _opponents(name: str, counts: Iterable[ResultCount]) -> list[tuple[str, Tally]]:
    """Each opponent, the most games first, with the engine's score."""
    scores: dict[str, Tally] = {}
    for each, _, score in _scores(name, counts):
        other = _opponent(each, name)
        scores[other] = scores.get(other, Tally()) + score
    scores.pop(name, None)
    return sorted(scores.items(), key=lambda pair: (-pair[1].games, pair[0]))


def _variants(name: str, counts: Iterable[ResultCount]) -> list[tuple[str, Tally, Tally]]:
    """Each variant, with the score as p1 and as p2."""
    sides: dict[str, dict[Side, Tally]] = {}
    for each, side, score in _scores(name, counts):
        both = sides.setdefault(each.variant, {"p1": Tally(), "p2": Tally()})
        both[side] += score
    return [(variant, both["p1"], both["p2"]) for variant, both in sorted(sides.items())]


def _lost(store: Reader, name: str, privacy: Privacy) -> list[Page]:
    """The last lost games, those lost by a fault before the others."""
    by_fault = [Filter(engine=name, termination=word, machine="0") for word in FORFEITS]
    faults = {game for each in by_fault for game in _lost_of(store, each, name)}
    lost = faults.union(_lost_of(store, Filter(engine=name), name))
    last = sorted(lost, key=lambda game: (game in faults, *age(game)))[-MOST_LOST:]
    last.sort(key=lambda game: (game not in faults, *age(game)))
    return [
        Page(
            game=public,
            fault=game in faults,
            opponent=_opponent(game, name),
            last_score=_last_good_score(store, game, name),
        )
        for game, public in zip(last, shown(last, privacy), strict=True)
    ]


def _lost_of(store: Reader, which: Filter, name: str) -> list[Brief]:
    opponents = {_opponent(each, name) for each, _, score in _scores(name, store.counts(which)) if score.losses} - {
        name
    }
    games: list[Brief] = []
    for other in sorted(opponents):
        games += store.briefs(Selection(replace(which, opponent=other, winner=other), limit=MOST_LOST, last=True))
    return sorted(games, key=age)[-MOST_LOST:]


def _last_good_score(store: Reader, game: Brief, name: str) -> str:
    """The engine's last score that was not below 0."""
    record = store.game(game.id)
    mine = "p1" if record.p1 == name else "p2"
    for number in range(record.ply_count, len(record.opening), -1):
        score = record.plies[number - 1 - len(record.opening)].score
        value = centipawns(score)
        if record.mover(number) == mine and value is not None and value >= 0:
            return f"{score} ({number})"
    return ""
