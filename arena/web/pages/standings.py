"""The standings of all games, of each variant and time control, and the games to look at."""

from dataclasses import dataclass, replace

from arena.web import figures
from arena.web.pages.source import Choice, PageSource
from arena.web.privacy import Privacy
from results.record import FORFEITS, Termination
from results.store.filter import Filter, Order, Selection
from results.store.reader import Brief, Reader
from results.tables.columns import COLUMNS
from results.tables.rating_lists import RatingList, RatingLists
from results.tables.render import duel_rows, legend, standings_notes
from results.tables.standings import Standings
from results.tables.to_json import rating_lists_json

_MOST_REMARKABLE = 3
_TEXT_COLUMNS = ("#", "engine")
_ORDERS: tuple[tuple[str, Order], ...] = (
    ("Longest", "longest"),
    ("Shortest", "shortest"),
    ("Most disputed", "disputed"),
)


@dataclass(frozen=True, slots=True)
class TableRow:
    """An engine in the standings: its rank, its name, and the text of each column."""

    rank: int
    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The standings of a rating list as text."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...]
    picture: figures.Chart | None
    duels: tuple[tuple[str, ...], ...] = ()
    """In a gauntlet: headings, and its engine against each opponent."""
    gauntlet: str = ""
    """Its engine."""


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """The overview: standings of all games, of each variant and time control, and the games to look at."""

    tables: tuple[StandingsTable, ...]
    legend: tuple[str, ...]
    withdrawn: tuple[tuple[str, str], ...]
    remarkable: tuple[tuple[str, tuple[Brief, ...]], ...]
    """A heading, and the games under it."""


def standings_page(source: PageSource, choice: Choice) -> StandingsPage:
    """The overview of the games of a choice. Raises StoreError."""
    lists, privacy = source.rating_lists(choice.which, choice.anchor), source.privacy
    return StandingsPage(
        tuple(standings_table(ratings) for ratings in lists.tables),
        tuple(legend([ratings.standings for ratings in lists.tables])),
        tuple((name, privacy.withdrawn(reason)) for name, reason in lists.withdrawn.items()),
        tuple(_remarkable(source.store, choice.which, privacy)),
    )


def public_standings(lists: RatingLists, privacy: Privacy) -> object:
    """What `arena standings --json` prints, without what is private: why an engine was withdrawn may name a path."""
    reasons = {name: privacy.withdrawn(reason) for name, reason in lists.withdrawn.items()}
    return privacy.config(rating_lists_json(replace(lists, withdrawn=reasons), time_controls=True))


def standings_table(ratings: RatingList, with_picture: bool = True) -> StandingsTable:
    """The standings of a rating list as text."""
    standings = ratings.standings
    shown = [
        column
        for column in COLUMNS
        if column.heading not in _TEXT_COLUMNS and column.is_shown(standings.rows, False, standings.roles_matter)
    ]
    rows = tuple(TableRow(row.rank, row.name, tuple(column.text(row) for column in shown)) for row in standings.rows)
    headings = tuple(column.heading for column in shown)
    picture = _picture(ratings.name, standings) if with_picture else None
    duels, notes = tuple(duel_rows(standings)), tuple(standings_notes(standings))
    engine = standings.duels[0].one if duels else ""
    return StandingsTable(ratings.name, headings, rows, notes, picture, duels, engine)


def _picture(title: str, standings: Standings) -> figures.Chart | None:
    rated = sum(row.rating is not None for row in standings.rows)
    return figures.ratings(title, standings) if 1 < rated <= figures.MOST_RATED else None


def _remarkable(store: Reader, which: Filter, privacy: Privacy) -> list[tuple[str, tuple[Brief, ...]]]:
    groups = [(word, tuple(store.briefs(Selection(which, order, _MOST_REMARKABLE)))) for word, order in _ORDERS]
    lost = [game for word in FORFEITS for game in _last_games(store, which, word, _MOST_REMARKABLE)]
    lost.sort(key=lambda game: (game.started_at, game.number))
    groups.append(("Lost by a fault, the last ones", tuple(lost[-_MOST_REMARKABLE:])))
    return [
        (word, tuple(game._replace(detail=privacy.text(game.detail)) for game in games))
        for word, games in groups
        if games
    ]


def _last_games(store: Reader, which: Filter, termination: str, most: int) -> list[Brief]:
    """The last games that ended so."""
    if which.termination not in (None, termination):
        return []
    return list(store.briefs(Selection(replace(which, termination=Termination(termination)), limit=most, last=True)))
