"""Lists of games: a page of a hundred, and the games between two engines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.web.privacy import Privacy
from results.export import RESULTS
from results.store.filter import Filter, Selection
from results.store.reader import Brief, Reader
from results.tables.pools import Pools
from results.tally import Tally

PAGE = 100
"""Games on a page."""
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
    after: str = ""
    """What the next page begins after, on a server: a run and a number. It is empty on the last page."""
    total: int = 0
    """How many games there are in all pages."""


def result_of(game: Brief) -> str:
    """`1-0`, as in PGN."""
    return RESULTS[game.winner]


def games_page(store: Reader, which: Filter, after: tuple[str, int] | None, privacy: Privacy) -> GamesPage:
    """The hundred games after this one, in the schedule's order; `after` is a run and a number. Raises StoreError."""
    briefs = list(store.briefs_after(which, after, PAGE + 1))
    games = shown(briefs[:PAGE], privacy)
    last = f"{games[-1].run}-{games[-1].number}" if len(briefs) > PAGE else ""
    return GamesPage(games, after=last, total=sum(each.games for each in store.counts(which)))


def page_of_all(briefs: Sequence[Brief], page: int, privacy: Privacy) -> GamesPage:
    """Page number `page` of these games, a hundred on each."""
    piece = briefs[PAGE * (page - 1) : PAGE * page]
    return GamesPage(shown(piece, privacy), page=page, pages=pages_of_all(briefs), total=len(briefs))


def pages_of_all(briefs: Sequence[Brief]) -> int:
    """How many pages these games have; one where there are none."""
    return max(1, -(-len(briefs) // PAGE))


def pair_page(store: Reader, pools: Pools, pair: tuple[str, str], privacy: Privacy) -> GamesPage:
    """The last games between two engines. `pools` are those of all games. Raises StoreError."""
    total = sum(each.games for each in pools.overall.counts if {each.p1, each.p2} == set(pair))
    which = Filter(engine=pair[0], opponent=pair[1])
    briefs = list(store.briefs(Selection(which, limit=MOST_OF_PAIR, last=total > MOST_OF_PAIR)))
    return with_score(GamesPage(shown(briefs, privacy), total=total), pools, pair)


def with_score(page: GamesPage, pools: Pools, pair: tuple[str, str]) -> GamesPage:
    """The same list as that of the games between two engines. `pools` are those of all games."""
    table = pools.overall.crosstable
    known = {*pair} <= {*table.engines}
    score = table.cells[table.engines.index(pair[0])][table.engines.index(pair[1])] if known else None
    return replace(page, engines=pair, score=score)


def shown(games: Sequence[Brief], privacy: Privacy) -> tuple[Brief, ...]:
    """The same games, with details that may be told."""
    return tuple(game._replace(detail=privacy.text(game.detail)) for game in games)
