"""The options of commands that read a database, and how these commands open it."""

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option
from results.record import Run
from results.store.filter import Filter
from results.store.store import Store

Database = Annotated[Path, argument("A database that match, tournament or ladder wrote.", "DB")]
RunId = Annotated[str | None, option("Only this run: its id or the start of it. [default: all]", "ID", flag="--run")]
Engine = Annotated[str | None, option("Only games of this engine, on either side.", "NAME")]
Opponent = Annotated[str | None, option("Only games against this engine.", "NAME")]
Variant = Annotated[str | None, option("Only games of this variant.", "NAME")]
Ending = Annotated[str | None, option("Only games with this termination, such as time.", "WORD", flag="--termination")]
Won = Annotated[str | None, option("Only games won by p1, p2 or an engine; or draw, or none.", "WHO", flag="--winner")]
Clock = Annotated[
    str | None, option("Only games with this time control; a handicap is '5+1 | 1+0'.", "TC", flag="--tc")
]
Since = Annotated[str | None, option("Only games that started at this date or time (UTC) or later.", "TIME")]
Until = Annotated[str | None, option("Only games that started before this time, or up to this date.", "TIME")]
Anchor = Annotated[str | None, option("Show Elo and ratings above this engine. [default: the field's mean]", "NAME")]
AsJson = Annotated[bool, option("Print JSON instead.", flag="--json")]
First = Annotated[int | None, option("Only the first N games.", "N", flag="--limit", min=1)]
Last = Annotated[int | None, option("Only the last N games.", "N", min=1)]
AsCsv = Annotated[bool, option("Print CSV instead.", flag="--csv")]


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games are counted, listed or written."""

    run: RunId = None
    engine: Engine = None
    opponent: Opponent = None
    variant: Variant = None
    termination: Ending = None
    winner: Won = None
    tc: Clock = None
    since: Since = None
    until: Until = None

    def opened(self, db: Path) -> AbstractContextManager[tuple[Store, Filter, list[Run]]]:
        """See `opened_games`."""
        return opened_games(db, **asdict(self))


TableFilter = Annotated[GameFilter, ("run", "variant", "tc", "since", "until")]
"""Those of these options that a table has."""
EngineFilter = Annotated[GameFilter, ("run", "engine", "opponent", "variant", "tc", "since", "until")]
"""Those that a table of engines has."""


def opened(db: Path) -> Store:
    """The database, open for reading. Raises StoreError."""
    return Store.open_existing(db)


@contextlib.contextmanager
def opened_games(db: Path, **words: str | None) -> Iterator[tuple[Store, Filter, list[Run]]]:
    """The open database, the filter that the options describe, and the runs that it leaves.

    `words` are the arguments of `parse_filter`, which have the names of the options. Raises StoreError, and BadInput
    for an option that cannot be used.
    """
    from results.store import lookup

    try:
        which = lookup.parse_filter(**words)
        with opened(db) as store:
            yield store, *lookup.resolve_filter(store, which)
    except lookup.BadWord as error:
        raise BadInput(f"--{error}") from None


def check_form(as_json: bool, as_csv: bool) -> None:
    """Raise BadInput where both forms are wanted."""
    if as_json and as_csv:
        raise BadInput("--json and --csv: name one of them")
