"""`arena plot`: ratings, their history, the crosstable and the sides as pictures, in the terminal or in a file."""

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import db_options
from arena.cli.db_options import Anchor, AsJson, Clock, Database, RunId, Variant
from arena.cli.errors import BadInput
from arena.cli.run.event_stream import STDOUT
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from collections.abc import Iterator

    from results.plots.figures import Picture
    from results.ratings.fit import Expected
    from results.record import GameRecord, GameResult, ResultCount
    from results.store.filter import Filter
    from results.store.store import Store
    from results.tally import Tally

_WIDEST = 120
_NARROWEST = 40
SIGNS = "├─●┤░▒▓█…"


class What(StrEnum):
    """What can be drawn."""

    RATINGS = "ratings"
    HISTORY = "history"
    CROSSTABLE = "crosstable"
    SIDES = "sides"


def plot(
    # A string, because the help has room for the name of this argument and not for a list of choices behind it.
    picture: Annotated[str, typer.Argument(metavar="PICTURE", help=f"One of {', '.join(What)}.")],
    db: Database,
    variant: Variant = None,
    run: RunId = None,
    tc: Clock = None,
    anchor: Anchor = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an SVG picture instead of printing; - is stdout.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an HTML page with the picture and its figures.")
    ] = None,
    as_json: AsJson = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Print plain ASCII.")] = False,
) -> None:
    """Draw ratings, their history, the crosstable, or what each variant's first side is worth."""
    from arena.cli import output
    from results.store.filter import Filter

    try:
        what = What(picture)
    except ValueError:
        raise BadInput(f"there is no picture {picture!r}; name one of {', '.join(What)}") from None
    files = {option: path for option, path in (("--svg", svg), ("--html", html)) if path is not None}
    printed = [f"{option} -" for option, path in files.items() if path == STDOUT] + ["--json"] * as_json
    if len(printed) > 1:
        raise BadInput(f"{' and '.join(printed)} cannot be printed together; name a file instead of -")
    if len({path.resolve() for path in files.values()}) < len(files):
        raise BadInput(f"--svg and --html both name {str(svg)!r}; name two files")
    for option, path in files.items():
        if path != STDOUT:
            output.check_target(path, option)
    with db_options.opened(db) as store:
        which = db_options.known(store, Filter(variant=variant, tc=tc), db)
        which = db_options.within(store, which, run, db)
        found = _picture(what, store, which, db, anchor)
    for option, path in files.items():
        text = found.svg if option == "--svg" else found.html
        if path == STDOUT:
            typer.echo(text.encode(), nl=False)  # bytes, because both forms are UTF-8 whatever the terminal is
        else:
            output.write_whole(path, text)
    if as_json:
        typer.echo(json.dumps(found.values))
    elif not files:
        plain = ascii_only or not can_show(SIGNS)
        width = max(_NARROWEST, min(_WIDEST, output.console().width))
        for line in found.text(width, plain):
            output.echo(line, ascii_only)


def can_show(signs: str) -> bool:
    """Can stdout carry these?"""
    try:
        signs.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _picture(what: What, store: "Store", which: "Filter", db: Path, anchor: str | None) -> "Picture":
    from results.plots import figures
    from results.store.filter import EVERYTHING
    from results.tables.crosstable import crosstable
    from results.tables.standings import standings

    counts = store.counts(which)
    decided = [each for each in counts if each.winner is not None]
    if not decided:
        chosen = " among those asked for" if which != EVERYTHING else "; play some first"
        raise BadInput(f"{db}: there is no decided game to draw{chosen}")
    if anchor is not None and what is not What.RATINGS:
        raise BadInput(f"--anchor {anchor}: only ratings can be drawn relative to an engine, not {what}")
    by = db_options.yardstick(anchor, False, decided, db)
    where = _where(decided, which)
    match what:
        case What.RATINGS:
            return figures.ratings(f"Ratings, {where}", standings(decided, by=by))
        case What.CROSSTABLE:
            order = [row.name for row in standings(decided).rows]
            return figures.crosstable(f"Crosstable, {where}", crosstable(decided, order))
        case What.SIDES:
            return figures.sides(f"The first side, {where}", _sides(decided))
        case What.HISTORY:
            return _history(store, which, decided, f"Ratings over time, {where}")


def _where(counts: "list[ResultCount]", which: "Filter") -> str:
    from results.tally import clocks

    variants = {each.variant for each in counts}
    games = sum(each.games for each in counts)
    what = which.variant or (f"{len(variants)} variants together" if len(variants) > 1 else "".join(variants))
    times = clocks(counts)
    if which.tc is not None or len(times) > 1:
        what += f", {which.tc or f'{len(times)} time controls together'}"
    return f"{what}, {some_games(games)}" + ("" if which.run is None else f" of run {which.run}")


def _sides(counts: "list[ResultCount]") -> "dict[str, tuple[Expected, Tally]]":
    from results.ratings.prediction import among_equals
    from results.ratings.published import published
    from results.tally import Tally, meetings, pools

    found = {}
    for variant, games in pools(counts).items():
        fit = published(games)
        if fit is not None:
            found[variant] = among_equals(fit), sum(meetings(games).values(), Tally())
    return found


def _history(store: "Store", which: "Filter", counts: "list[ResultCount]", title: str) -> "Picture":
    from results.plots import figures
    from results.ratings.history import history
    from results.store.filter import Selection

    games: Iterator[GameRecord | GameResult] = store.results(which)
    if any(each.distinct < each.games for each in counts):
        games = iter(store.select(Selection(which)))  # identical games are told by their moves alone
    found = history(games, sum(each.games for each in counts))
    everybody = {name for each in counts for name in (each.p1, each.p2)}
    return figures.history(title, found, sorted(everybody - found[-1].ratings.keys()))
