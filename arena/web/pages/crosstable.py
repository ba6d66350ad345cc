"""The crosstable: who scored how much against whom, in each rating list."""

from arena.web.pages.source import Choice, Page, PageSource
from results.tables.crosstable import Crosstable
from results.tables.render import OF_CROSSTABLES, legend

_MOST_CROSSED = 64
"""A crosstable of more engines shows the first of them."""


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
