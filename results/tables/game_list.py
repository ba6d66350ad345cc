"""Games as lines of a list: for a terminal, and for CSV."""

from collections.abc import Iterable, Iterator

from results.export import RESULTS
from results.store.reader import Brief
from results.variant_name import shown

CSV_COLUMNS = (
    *("run", "id", "number", "round", "p1", "p2", "variant", "winner", "termination", "plies", "tc", "started_at"),
    "disputed",
)


HEADINGS = ("game", "id", "round", "p1", "p2", "variant", "result", "ended by", "plies")


def csv_rows(games: Iterable[Brief]) -> Iterator[tuple[object, ...]]:
    """The headings, and a row for each game."""
    yield CSV_COLUMNS
    for game in games:
        yield tuple(getattr(game, name) for name in CSV_COLUMNS)


def text_row(game: Brief, disputed: bool = False) -> tuple[str, ...]:
    """Number, id, round, p1, p2, variant, result, termination, plies; and how long it was disputed, if asked for."""
    names = (game.p1, game.p2, shown(game.variant), RESULTS[game.winner], game.termination)
    row = (str(game.number), game.id, str(game.round), *names, str(game.plies))
    plies = "1 ply" if game.disputed == 1 else f"{game.disputed} plies"
    return (*row, f"disputed for {plies}") if disputed else row
