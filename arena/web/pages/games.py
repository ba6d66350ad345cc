"""Lists of games: a page of a hundred, and the games between two engines."""

from dataclasses import dataclass
from typing import ClassVar

from arena.web.privacy import Privacy
from results.export import RESULTS
from results.store.filter import Filter
from results.store.reader import Brief, Reader
from results.tally import Tally

PAGE = 100
"""Games on a page."""


@dataclass(frozen=True, slots=True)
class GamesPage:
    """A page of the list of games."""

    template: ClassVar[str] = "games.html"

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
    found = list(store.briefs_after(which, after, PAGE + 1))
    games = shown(found[:PAGE], privacy)
    last = f"{games[-1].run}-{games[-1].number}" if len(found) > PAGE else ""
    return GamesPage(games, after=last, total=sum(each.games for each in store.counts(which)))


def shown(games: list[Brief], privacy: Privacy) -> tuple[Brief, ...]:
    """The same games, with details that may be told."""
    return tuple(game._replace(detail=privacy.text(game.detail)) for game in games)
