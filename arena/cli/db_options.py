"""Databases as reading commands name them: opening one, choosing a run, and the options that say which games.

Prints what a migration says and nothing else.
"""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import BadInput

if TYPE_CHECKING:
    from results.ratings.published import RatingOptions
    from results.record import ResultCount, Run, Termination
    from results.store.filter import Filter
    from results.store.store import Store

Database = Annotated[Path, typer.Argument(metavar="DB", help="A database of games, as match and tournament write it.")]
RunId = Annotated[
    str | None, typer.Option("--run", metavar="ID", help="Only this run, by its id or the start of it. [default: all]")
]
Engine = Annotated[str | None, typer.Option(metavar="NAME", help="Only games that this engine plays, on either side.")]
Opponent = Annotated[str | None, typer.Option(metavar="NAME", help="Only games against this one.")]
Variant = Annotated[str | None, typer.Option(metavar="NAME", help="Only games of this variant.")]
Ending = Annotated[str | None, typer.Option("--termination", metavar="WORD", help="Only games that ended so: time, …")]
Won = Annotated[
    str | None, typer.Option("--winner", metavar="WHO", help="Only games won by p1, p2 or an engine; or draw, or none.")
]
Clock = Annotated[
    str | None, typer.Option("--tc", metavar="TC", help="Only games with this time control; 5+1 | 1+0: one each.")
]
Since = Annotated[
    str | None, typer.Option(metavar="TIME", help="Only games begun at this date or time (ISO 8601, UTC) or later.")
]
Until = Annotated[str | None, typer.Option(metavar="TIME", help="Only games begun before this time or on this date.")]
Anchor = Annotated[
    str | None, typer.Option(metavar="NAME", help="Rate relative to this engine. [default: the field's mean]")
]
Roles = Annotated[bool, typer.Option("--roles", help="Also rate what each engine is better as p1, and worse as p2.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]


_LISTED = 12
"""Words that are listed where one is not known."""


def tell(sentence: str) -> None:
    """What a migration says."""
    typer.echo(f"arena: {sentence}", err=True)


def opened(db: Path) -> "Store":
    """The database, for reading. Raises StoreError."""
    from results.store.store import Store

    return Store.open_existing(db, tell)


def chosen(store: "Store", run: str | None, db: Path) -> "list[Run]":
    """All runs, or the one that `--run` names."""
    runs = store.runs()
    if run is None:
        return runs
    exact = [one for one in runs if one.id == run]
    near = exact or [one for one in runs if one.id.startswith(run)]
    if len(near) == 1:
        return near
    known = ", ".join(one.id for one in near or runs)
    raise BadInput(f"--run {run}: {db} has {'several such runs' if near else 'no such run'}; name one of {known}")


def within(store: "Store", which: "Filter", run: str | None, db: Path) -> "Filter":
    """The same games, of the run that `--run` names."""
    return which if run is None else replace(which, run=chosen(store, run, db)[0].id)


def bounded(which: "Filter", since: str | None, until: str | None) -> "Filter":
    """The same games, begun within these bounds. A date as `--until` takes that whole day."""
    return replace(which, since=_instant("--since", since, 0), until=_instant("--until", until, 1))


def ending(word: str | None) -> "Termination | None":
    """The termination that `--termination` names."""
    from results.record import Termination

    try:
        return None if word is None else Termination(word)
    except ValueError:
        raise BadInput(f"--termination {word}: name one of {', '.join(Termination)}") from None


def known(store: "Store", which: "Filter", db: Path) -> "Filter":
    """The filter, where the database knows every name in it: a misspelt one would find nothing and not say why."""
    from results.store.filter import RESULTS
    from results.tally import clock

    players = {player.name for run in store.runs() for player in store.players(run.id)}
    for option, name in (("engine", which.engine), ("opponent", which.opponent), ("winner", which.winner)):
        if name is not None and name not in players and not (option == "winner" and name in RESULTS):
            raise BadInput(f"--{option} {name}: {db} has no such engine; it has {', '.join(sorted(players)) or 'none'}")
    if which.variant is not None:
        _refuse_unknown("--variant", which.variant, store.words("variant"), db)
    if which.tc is not None:
        if clock(which.tc) not in (there := sorted({clock(word) for word in store.words("tc")})):
            _refuse_unknown("--tc", which.tc, there, db)
    return which


def yardstick(anchor: str | None, roles: bool, counts: "list[ResultCount]", db: Path) -> "RatingOptions":
    """How ratings are to be told of these games, one of which the anchor must have."""
    from results.ratings.published import RatingOptions

    there = {name for each in counts if each.winner is not None for name in (each.p1, each.p2)}
    if anchor is not None and anchor not in there:
        raise BadInput(
            f"--anchor {anchor}: no such engine has a decided game in {db}, as far as it is asked for; "
            f"name one of {', '.join(sorted(there)) or 'none'}"
        )
    return RatingOptions(anchor, roles)


def _refuse_unknown(option: str, word: str, there: list[str], db: Path) -> None:
    if word not in there:
        listed = ", ".join(there[:_LISTED]) + (f" and {len(there) - _LISTED} more" if len(there) > _LISTED else "")
        raise BadInput(f"{option} {word}: {db} has no such games; it has {listed or 'none'}")


def _instant(option: str, text: str | None, days: int) -> str | None:
    """A time as `started_at` has it, so that texts compare as times do; a date is its midnight, `days` later."""
    if text is None:
        return None
    try:
        if len(text) == len("2026-01-02"):
            day = date.fromisoformat(text) + timedelta(days=days)
            at = datetime(day.year, day.month, day.day, tzinfo=UTC)
        else:
            at = datetime.fromisoformat(text)
            at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadInput(f"{option} {text}: write a date (2026-01-31) or a time (2026-01-31T18:00)") from None
    return at.isoformat(timespec="seconds")
