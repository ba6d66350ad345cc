"""The standings and the crosstable of all games, of each variant and time control, and the games to look at."""

from dataclasses import replace

from arena.web import figures
from arena.web.pages.games import age, last_forfeits, shown
from arena.web.pages.source import Choice, Page, PageSource
from arena.web.privacy import Privacy
from results.store.filter import Filter, Order
from results.store.reader import Brief, Reader
from results.tables.crosstable import Crosstable
from results.tables.rating_lists import RatingLists
from results.tables.render import OF_CROSSTABLES, legend
from results.tables.statistics import MOST_REMARKABLE, remarkable
from results.tables.to_json import rating_lists_json

_MOST_CROSSED = 64
"""A crosstable of more engines shows the first of them."""
_WORDS: dict[Order, str] = {"longest": "Longest", "shortest": "Shortest", "disputed": "Most disputed"}


def standings_page(source: PageSource, choice: Choice) -> Page:
    """The overview of the games of a choice. Raises StoreError."""
    lists, privacy = source.rating_lists(choice.which, choice.anchor), source.privacy
    return Page(
        tables=[(each, figures.ratings(each.name, each.standings)) for each in lists.tables],
        legend=legend([ratings.standings for ratings in lists.tables]),
        withdrawn=[(name, privacy.withdrawn(reason)) for name, reason in lists.withdrawn.items()],
        remarkable=_remarkable(source.store, choice.which, privacy),
    )


def public_standings(lists: RatingLists, privacy: Privacy) -> object:
    """What `arena standings --json` prints, without what is private: why an engine was withdrawn may name a path."""
    reasons = {name: privacy.withdrawn(reason) for name, reason in lists.withdrawn.items()}
    return privacy.config(rating_lists_json(replace(lists, withdrawn=reasons), time_controls=True))


def _remarkable(store: Reader, which: Filter, privacy: Privacy) -> list[tuple[str, tuple[Brief, ...]]]:
    groups = [(_WORDS[order], games) for order, games in remarkable(store, which).items()]
    lost = sorted(last_forfeits(store, which, MOST_REMARKABLE), key=age)
    groups.append(("Lost by a fault, the last ones", lost[-MOST_REMARKABLE:]))
    return [(word, shown(games, privacy)) for word, games in groups if games]


def crosstable_page(source: PageSource, choice: Choice) -> Page:
    """The crosstable of each rating list, those of the parts last. Raises StoreError."""
    lists = source.rating_lists(choice.which, choice.anchor)
    tables = [(ratings.name, _cut(ratings.crosstable)) for ratings in lists.tables]
    most = max((len(ratings.standings.rows) for ratings in lists.tables), default=0)
    words = legend([ratings.standings for ratings in lists.tables], of=OF_CROSSTABLES)
    return Page(tables=tables, hidden=max(0, most - _MOST_CROSSED), legend=words)


def _cut(table: Crosstable) -> Crosstable:
    if len(table.engines) <= _MOST_CROSSED:
        return table
    cells = tuple(row[:_MOST_CROSSED] for row in table.cells[:_MOST_CROSSED])
    return Crosstable(table.engines[:_MOST_CROSSED], cells, table.pairs, table.elos)
