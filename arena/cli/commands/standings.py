"""`arena standings`, `crosstable` and `show`: what a database of games says."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import db_options
from arena.cli.db_options import Anchor, AsJson, Clock, Database, Roles, RunId, Since, Until, Variant

if TYPE_CHECKING:
    from arena.cli.view.standings import Pools
    from results.store.filter import Filter

_NO_GAMES = "no games yet"
_NONE_FIT = "no games fit what is asked for"
_NAMED = 5
"""Games that are named where several fit."""
_DIGITS = 18
"""More would be no number that a database can hold."""


def standings(
    db: Database,
    run: RunId = None,
    variant: Variant = None,
    tc: Clock = None,
    since: Since = None,
    until: Until = None,
    anchor: Anchor = None,
    roles: Roles = False,
    wide: Annotated[bool, typer.Option("--wide", help="All columns, beyond 100 characters.")] = False,
    online: Annotated[
        bool,
        typer.Option("--online", help="Also rate game by game by TrueSkill, which reads every game and takes longer."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Rank the engines, with ratings: all games, and apart each variant and each time control."""
    from arena.cli import output
    from arena.cli.view import standings as pools

    which = db_options.bounded(_filter(variant, tc), since, until)
    found = _pools(db, run, which, as_json, online, anchor, roles)
    if as_json:
        typer.echo(json.dumps(pools.standings_values(found, clocks=True)))
    elif found.played:
        pools.print_standings(output.console(), found, wide)
    else:
        typer.echo(_none(which))


def crosstable(
    db: Database,
    run: RunId = None,
    variant: Variant = None,
    tc: Clock = None,
    since: Since = None,
    until: Until = None,
    as_json: AsJson = False,
) -> None:
    """Show who scored how much against whom."""
    from arena.cli import output
    from arena.cli.view import standings as pools

    which = db_options.bounded(_filter(variant, tc), since, until)
    found = _pools(db, run, which, as_json)
    if as_json:
        typer.echo(json.dumps(pools.crosstable_values(found)))
    elif found.played:
        pools.print_crosstables(output.console(), found)
    else:
        typer.echo(_none(which))


def _none(which: "Filter") -> str:
    from results.store.filter import EVERYTHING

    return _NO_GAMES if which == EVERYTHING else _NONE_FIT


def _filter(variant: str | None, tc: str | None) -> "Filter":
    from results.store.filter import Filter

    return Filter(variant=variant, tc=tc)


def _pools(
    db: Path,
    run: str | None,
    which: "Filter",
    as_json: bool,
    online: bool = False,
    anchor: str | None = None,
    roles: bool = False,
) -> "Pools":
    """The pools of the chosen runs, with all their players."""
    from arena.cli.view import standings as pools

    with db_options.opened(db) as store:
        chosen = db_options.chosen(store, run, db)
        which = db_options.known(store, which, db)
        played = store.played()
        for one in chosen:
            if played.get(one.id, 0) < one.games:
                typer.echo(
                    f"run {one.id}: {played.get(one.id, 0)} of {one.games} scheduled games have been played", err=True
                )
        if len(chosen) > 1:
            typer.echo(f"{len(chosen)} runs together; --run ID shows one of them", err=True)
        which = which if run is None else replace(which, run=chosen[0].id)
        by = db_options.yardstick(anchor, roles, store.counts(which) if anchor is not None else [], db)
        return pools.of_runs(store, chosen, which, online, by, sys.maxsize if as_json else pools.MANY_CLOCKS)
