"""Lists of games: a page of a hundred, and the games between two engines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from arena.web.pages.source import Choice, PageSource
from arena.web.privacy import Privacy
from results.export import RESULTS
from results.record import FORFEITS
from results.store.filter import Filter, Selection
from results.store.reader import Brief, Reader
from results.tally import Tally

PAGE = 100
"""Games on a page."""
GAME = re.compile("([0-9a-zA-Z]{1,64})-([0-9]{1,9})")
"""A game in an address: its run and its number."""
MOST_OF_PAIR = 500
"""The page of a pair lists at most so many games."""


@dataclass(frozen=True, slots=True)
class GamesPage:
    """A page of the list of games."""

    games: tuple[Brief, ...]
    engines: tuple[str, str] | None = None
    """The two engines, if it is a list of their games."""
    score: Tally | None = None
    """All games of the two, from the first one's point of view."""
    page: int = 1
    pages: int = 1
    query: str = ""
    """What asks for the next page, on a server. It is empty on the last page."""
    total: int = 0
    """How many games there are in all pages."""


def result_of(game: Brief) -> str:
    """`1-0`, as in PGN."""
    return RESULTS[game.winner]


def games_page(source: PageSource, choice: Choice) -> GamesPage | None:
    """A page of a report's games, or the hundred games after that of the choice. None where that names no game.

    Raises StoreError.
    """
    which, page = choice.which, choice.page
    if (briefs := source.briefs) is not None:
        if which.engine is not None and which.opponent is not None:
            return pair_page(source, choice, which.engine, which.opponent)
        piece = briefs[PAGE * (page - 1) : PAGE * page]
        return GamesPage(shown(piece, source.privacy), page=page, pages=pages_of_games(briefs), total=len(briefs))
    start = GAME.fullmatch(choice.after)
    if choice.after and start is None:
        return None
    after = None if start is None else (start[1], int(start[2]))
    briefs = list(source.store.briefs_after(which, after, PAGE + 1))
    games = shown(briefs[:PAGE], source.privacy)
    query = f"{choice.query}{'&' * bool(choice.query)}after={games[-1].run}-{games[-1].number}" if games else ""
    made = GamesPage(
        games, query=query if len(briefs) > PAGE else "", total=sum(each.games for each in source.store.counts(which))
    )
    one, two = which.engine, which.opponent
    if one is None or two is None or which != Filter(engine=one, opponent=two):
        return made
    return _of_pair(made, source, one, two)


def pages_of_games(briefs: Sequence[Brief]) -> int:
    """How many pages these games have; one where there are none."""
    return max(1, -(-len(briefs) // PAGE))


def pair_page(source: PageSource, choice: Choice, one: str, two: str) -> GamesPage:
    """The last games between two engines. Raises StoreError."""
    total = sum(each.games for each in source.rating_lists().overall.counts if {each.p1, each.p2} == {one, two})
    which = Filter(engine=one, opponent=two)
    briefs = list(source.store.briefs(Selection(which, limit=MOST_OF_PAIR, last=total > MOST_OF_PAIR)))
    return _of_pair(GamesPage(shown(briefs, source.privacy), total=total), source, one, two)


def _of_pair(page: GamesPage, source: PageSource, one: str, two: str) -> GamesPage:
    """The same list as that of the games between two engines."""
    table = source.rating_lists().overall.crosstable
    is_known = {one, two} <= {*table.engines}
    score = table.cells[table.engines.index(one)][table.engines.index(two)] if is_known else None
    return replace(page, engines=(one, two), score=score)


def last_forfeits(store: Reader, which: Filter, most: int) -> Iterator[Brief]:
    """The last of these games that were lost by a fault, so many for each termination at most. Raises StoreError."""
    for word in sorted(FORFEITS):
        if which.termination in (None, word):
            yield from store.briefs(Selection(replace(which, termination=word), limit=most, last=True))


def shown(games: Sequence[Brief], privacy: Privacy) -> tuple[Brief, ...]:
    """The same games, with details that may be told."""
    return tuple(game._replace(detail=privacy.text(game.detail)) for game in games)
