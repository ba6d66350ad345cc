"""The page of an engine: its rating, each opponent, each side, how its games ended, why it lost, its time."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from arena.web import figures
from arena.web.pages.games import shown
from arena.web.pages.source import Choice, PageSource
from arena.web.privacy import Privacy
from results.eval_disagreement import centipawns
from results.record import FORFEITS, Player, ResultCount, first_side
from results.store.filter import Filter, Selection
from results.store.reader import Brief, Reader
from results.tables.engine_stats import EngineStats, Stats
from results.tables.standings import Standing
from results.tally import Tally

MOST_LOST = 20
"""Lost games that a page lists."""
MOST_TIMED = 500
"""The figures of time are those of an engine's last games, at most so many: each must be read whole."""


@dataclass(frozen=True, slots=True)
class TerminationCount:
    """How many games of an engine ended by a termination."""

    termination: str
    won: int
    drawn: int
    lost: int
    unfinished: int


@dataclass(frozen=True, slots=True)
class LostGame:
    """A lost game, and how the engine judged it before it saw that it was losing."""

    game: Brief
    fault: bool
    opponent: str
    last_score: str
    """The engine's last score that was not below 0, with its ply. Empty where it said none."""


@dataclass(frozen=True, slots=True)
class EnginePage:
    """One engine."""

    name: str
    standing: Standing | None
    opponents: tuple[tuple[str, Tally], ...]
    """Each opponent, the most games first, with the engine's score."""
    variants: tuple[tuple[str, Tally, Tally], ...]
    """Each variant, with the score as p1 and as p2."""
    endings: tuple[TerminationCount, ...]
    lost: tuple[LostGame, ...]
    lost_total: int
    stats: EngineStats | None
    timed: int
    """How many games the figures of time are of."""
    versions: tuple[tuple[str, Player], ...]
    """The name of a run, and the engine as it took part."""
    history: figures.Chart | None


def engine_page(source: PageSource, choice: Choice, name: str) -> EnginePage | None:
    """The page of an engine; None where no game and no run has it. Raises StoreError."""
    if name not in source.engines():
        return None
    store, lists = source.store, source.rating_lists()
    counts = [each for each in lists.overall.counts if name in (each.p1, each.p2)]
    row = next((row for row in lists.overall.standings.rows if row.name == name), None)
    lost = sum(each.games for each in counts if each.winner in ("p1", "p2") and _loser(each) == name)
    stats = Stats()
    store.read_costs(Filter(engine=name), stats.add, MOST_TIMED)
    figures_of = next((each for each in stats.engines() if each.name == name), None)
    return EnginePage(
        name,
        row,
        tuple(_opponents(name, counts)),
        tuple(_variants(name, counts)),
        tuple(_endings(name, counts)),
        tuple(_lost(store, name, source.privacy)),
        lost,
        figures_of,
        0 if figures_of is None else figures_of.games,
        tuple((run.name, player) for run in store.runs() for player in store.players(run.id) if player.name == name),
        figures.history(name, [point for point in source.history() if name in point.ratings]),
    )


def _loser(each: ResultCount) -> str:
    return each.p2 if each.winner == "p1" else each.p1


def _score(each: ResultCount, side: str) -> Tally:
    won = each.games * (each.winner == side)
    drawn = each.games * (each.winner == "draw")
    return Tally(won, drawn, 0 if each.winner is None else each.games - won - drawn)


def _opponents(name: str, counts: Iterable[ResultCount]) -> list[tuple[str, Tally]]:
    scores: dict[str, Tally] = {}
    for each in counts:
        for side, mine, other in (("p1", each.p1, each.p2), ("p2", each.p2, each.p1)):
            if mine == name and other != name:
                scores[other] = scores.get(other, Tally()) + _score(each, side)
    return sorted(scores.items(), key=lambda pair: (-pair[1].games, pair[0]))


def _variants(name: str, counts: Iterable[ResultCount]) -> list[tuple[str, Tally, Tally]]:
    sides: dict[str, list[Tally]] = {}
    for each in counts:
        both = sides.setdefault(each.variant, [Tally(), Tally()])
        for place, (side, mine) in enumerate((("p1", each.p1), ("p2", each.p2))):
            if mine == name:
                both[place] += _score(each, side)
    return [(variant, one, two) for variant, (one, two) in sorted(sides.items())]


def _endings(name: str, counts: Iterable[ResultCount]) -> list[TerminationCount]:
    sums: dict[str, Counter[str]] = {}
    for each in counts:
        for side, mine in (("p1", each.p1), ("p2", each.p2)):
            if mine == name:
                result = {side: "won", "draw": "drawn", None: "none"}.get(each.winner, "lost")
                sums.setdefault(each.termination.value, Counter())[result] += each.games
    endings = [TerminationCount(word, n["won"], n["drawn"], n["lost"], n["none"]) for word, n in sums.items()]
    return sorted(endings, key=lambda each: (-each.won - each.drawn - each.lost, each.termination))


def _lost(store: Reader, name: str, privacy: Privacy) -> list[LostGame]:
    """The last lost games, those lost by a fault before the others."""
    lost: dict[str, Brief] = {}
    for word in sorted(FORFEITS):
        for game in _lost_of(store, Filter(engine=name, termination=word), name, MOST_LOST):
            lost[game.id] = game
    rest = MOST_LOST - len(lost)
    if rest > 0:
        for game in _lost_of(store, Filter(engine=name), name, MOST_LOST):
            lost.setdefault(game.id, game)
    games = sorted(lost.values(), key=lambda game: (game.termination not in FORFEITS, game.started_at))[:MOST_LOST]
    return [
        LostGame(
            game,
            game.termination in FORFEITS,
            game.p2 if game.p1 == name else game.p1,
            _last_good_score(store, game, name),
        )
        for game in shown(games, privacy)
    ]


def _lost_of(store: Reader, which: Filter, name: str, most: int) -> list[Brief]:
    opponents = {
        each.p2 if each.p1 == name else each.p1
        for each in store.counts(which)
        if each.winner in ("p1", "p2") and _loser(each) == name and each.p1 != each.p2
    }
    lost_games: list[Brief] = []
    for other in sorted(opponents):
        lost = replace(which, opponent=other, winner=other)
        lost_games += store.briefs(Selection(lost, limit=most, last=True))
    return sorted(lost_games, key=lambda game: game.started_at)[-most:]


def _last_good_score(store: Reader, game: Brief, name: str) -> str:
    """The engine's last score that was not below 0."""
    record = store.game(game.id)
    first = first_side(record.fen)
    mine = "p1" if record.p1 == name else "p2"
    for at in range(len(record.plies) - 1, -1, -1):
        number = at + len(record.opening)
        side = first if number % 2 == 0 else ("p2" if first == "p1" else "p1")
        value = centipawns(record.plies[at].score)
        if side == mine and value is not None and value >= 0:
            return f"{record.plies[at].score} ({number + 1})"
    return ""
