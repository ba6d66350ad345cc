"""Lists of games: a page of a hundred, and the games between two engines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from arena.web.pages.source import Choice, Page, PageSource
from arena.web.privacy import Privacy
from results.export import RESULTS
from results.record import FORFEITS
from results.store.filter import Filter, Selection
from results.store.reader import Brief, Reader

PAGE = 100
"""Games on a page."""
GAME = re.compile("([0-9a-zA-Z]{1,64})-([0-9]{1,9})")
"""A game in an address: its run and its number."""
MOST_OF_PAIR = 500
"""The page of a pair lists at most so many games."""
age = attrgetter("started_at", "number")
"""The key that sorts games by when they began."""


def result_of(game: Brief) -> str:
    """`1-0`, as in PGN."""
    return RESULTS[game.winner]


def games_page(source: PageSource, choice: Choice) -> Page | None:
    """A page of a report's games, or the hundred games after that of the choice. None where that names no game.

    Raises StoreError.
    """
    which, page = choice.which, choice.page
    if (briefs := source.briefs) is not None:
        if which.engine is not None and which.opponent is not None:
            return pair_page(source, choice, which.engine, which.opponent)
        piece = briefs[PAGE * (page - 1) : PAGE * page]
        return _page(source, piece, len(briefs), page=page, pages=pages_of_games(briefs))
    start = GAME.fullmatch(choice.after)
    if choice.after and start is None:
        return None
    after = None if start is None else (start[1], int(start[2]))
    briefs = list(source.store.briefs_after(which, after, PAGE + 1))
    query = ""
    if len(briefs) > PAGE:
        last = briefs[PAGE - 1]
        query = f"{choice.query}{'&' * bool(choice.query)}after={last.run}-{last.number}"
    is_pair = which.engine is not None and which == Filter(engine=which.engine, opponent=which.opponent)
    total = sum(each.games for each in source.store.counts(which))
    return _page(source, briefs[:PAGE], total, (which.engine, which.opponent) if is_pair else None, query=query)


def _page(
    source: PageSource,
    briefs: Sequence[Brief],
    total: int,
    engines: tuple[str | None, str | None] | None = None,
    page: int = 1,
    pages: int = 1,
    query: str = "",
) -> Page:
    """A list of some of `total` games, with the score of both engines if it is one of their games.

    `query` asks a server for the next page; it is empty on the last one.
    """
    score = None
    if engines is not None and {*engines} <= {*(table := source.rating_lists().overall.crosstable).engines}:
        one, two = (table.engines.index(str(name)) for name in engines)
        score = table.cells[one][two]
    games = shown(briefs, source.privacy)
    return Page(games=games, total=total, engines=engines, score=score, page=page, pages=pages, query=query)


def pages_of_games(briefs: Sequence[Brief]) -> int:
    """How many pages these games have; one where there are none."""
    return max(1, -(-len(briefs) // PAGE))


def pair_page(source: PageSource, choice: Choice, one: str, two: str) -> Page:
    """The last games between two engines. Raises StoreError."""
    total = sum(each.games for each in source.rating_lists().overall.counts if {each.p1, each.p2} == {one, two})
    which = Filter(engine=one, opponent=two)
    briefs = list(source.store.briefs(Selection(which, limit=MOST_OF_PAIR, last=total > MOST_OF_PAIR)))
    return _page(source, briefs, total, (one, two))


def last_forfeits(store: Reader, which: Filter, most: int) -> Iterator[Brief]:
    """The last of these games that were lost by a fault, so many for each termination at most. Raises StoreError."""
    for word in sorted(FORFEITS):
        if which.termination in (None, word):
            its = replace(which, termination=word, machine="0")
            yield from store.briefs(Selection(its, limit=most, last=True))


def shown(games: Sequence[Brief], privacy: Privacy) -> tuple[Brief, ...]:
    """The same games, with details that may be told."""
    return tuple(game._replace(detail=privacy.text(game.detail)) for game in games)
