"""The pictures of stored games: chooses the games, computes the ratings, and hands the figures to `figures`."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from results.plots import figures
from results.plots.figures import Picture
from results.plots.history import Checkpoint, history
from results.published import published
from results.ratings.estimates import Expected
from results.record import GameRecord, GameResult, ResultCount
from results.store.files import StoreError
from results.store.filter import EVERYTHING, Filter, Selection
from results.store.lookup import BadWord
from results.store.parse_filter import check_anchor
from results.store.reader import Reader
from results.tables.rating_lists import MOST_PAIRED
from results.tables.standings import standings
from results.tables.text_width import some_games
from results.tally import Tally, by_time_control, by_variant, meetings
from results.variant_name import shown


class Subject(StrEnum):
    """What a picture shows."""

    RATINGS = "ratings"
    HISTORY = "history"
    SIDES = "sides"


def draw(subject: Subject, store: Reader, which: Filter = EVERYTHING, anchor: str | None = None) -> Picture:
    """The picture of these games. Only ratings can have an anchor. Raises StoreError without a decided game."""
    counts = [each for each in store.counts(which) if each.winner is not None]
    if not counts:
        remedy = " among those asked for" if which != EVERYTHING else "; play some first"
        raise StoreError(f"{store.name}: there is no decided game to draw{remedy}")
    if anchor is not None:
        if subject is not Subject.RATINGS:
            raise BadWord(f"anchor {anchor}: only ratings can be drawn relative to an engine, not {subject}")
        check_anchor(store, anchor, counts)
    games = _games_text(counts, which)
    match subject:
        case Subject.RATINGS:
            pairs = store.pairs(which) if sum(each.games for each in counts) <= MOST_PAIRED else None
            return figures.ratings(f"Ratings, {games}", standings(counts, anchor=anchor, pairs=pairs))
        case Subject.SIDES:
            return figures.sides(f"Playing p1, {games}", _sides(counts))
        case Subject.HISTORY:
            points = checkpoints(store, which, counts)
            engines = {name for each in counts for name in (each.p1, each.p2)}
            return figures.history(f"Ratings over time, {games}", points, sorted(engines - points[-1].ratings.keys()))


def checkpoints(store: Reader, which: Filter, counts: Iterable[ResultCount]) -> list[Checkpoint]:
    """The ratings over time of these games, whose results `counts` has. It reads every game."""
    decided = [each for each in counts if each.winner is not None]
    games: Iterator[GameRecord | GameResult] = store.results(which)
    if any(each.distinct < each.games for each in decided):
        games = store.select(Selection(which))  # only the moves tell identical games
    return history(games, sum(each.games for each in decided))


def _games_text(counts: Sequence[ResultCount], which: Filter) -> str:
    """Which games these are: `2 variants together, 72 games of run aa11`."""
    variants, clocks = by_variant(counts), by_time_control(counts)
    one = which.variant or (f"{len(variants)} variants together" if len(variants) > 1 else "".join(variants))
    parts = [shown(one)]
    if which.tc is not None or len(clocks) > 1:
        parts.append(which.tc or f"{len(clocks)} time controls together")
    parts.append(some_games(sum(each.games for each in counts)))
    return ", ".join(parts) + ("" if which.run is None else f" of run {which.run}")


def _sides(counts: Sequence[ResultCount]) -> dict[str, tuple[Expected, Tally]]:
    """For each variant the score of p1 among equals by the fit, and what p1 scored in fact."""
    return {
        variant: (fit.among_equals(), sum(meetings(games).values(), Tally()))
        for variant, games in by_variant(counts).items()
        if (fit := published(games)) is not None
    }
