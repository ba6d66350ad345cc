"""`arena standings` and `crosstable`: the ratings of the engines, and who scored how much against whom."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import db_options, output
from arena.cli.db_options import Anchor, AsJson, Clock, Database, RunId, Since, Until, Variant
from results.tally import Part

if TYPE_CHECKING:
    from results.store.filter import Filter
    from results.tables.pools import Pools


def standings(
    db: Database,
    run: RunId = None,
    variant: Variant = None,
    tc: Clock = None,
    since: Since = None,
    until: Until = None,
    anchor: Anchor = None,
    roles: Annotated[
        bool,
        typer.Option("--roles", help="Show how much better each is as p1, and worse as p2. [default: if it matters]"),
    ] = False,
    by: Annotated[
        Part | None,
        typer.Option(help="Also a table for each variant or tc. [default: if there is room]"),
    ] = None,
    wide: Annotated[bool, typer.Option("--wide", help="Show all columns, beyond 80 characters.")] = False,
    online: Annotated[
        bool,
        typer.Option("--online", help="Also rate game by game with TrueSkill. This reads every game and takes longer."),
    ] = False,
    machines: Annotated[
        bool,
        typer.Option(
            "--machines", help="Show instead how each engine scored on each machine, and whether machines disagree."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Rank the engines, with ratings: all games, and on request each variant or time control."""
    from arena.cli.view.standings import print_standings
    from results.tables.to_json import pools_json

    words = {"run": run, "variant": variant, "tc": tc, "since": since, "until": until}
    if machines:
        _machines(db, words, as_json)
        return
    which, pools = _pools(db, words, as_json, online, anchor)
    if as_json:
        output.echo_json(pools_json(pools, time_controls=True))
    elif pools.have_games:
        print_standings(output.console(), pools, wide=wide, roles=roles, by=by)
    else:
        output.echo(_no_games(which))


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
    from arena.cli.view.standings import print_crosstables
    from results.tables.to_json import crosstables_json

    words = {"run": run, "variant": variant, "tc": tc, "since": since, "until": until}
    which, pools = _pools(db, words, as_json)
    if as_json:
        output.echo_json(crosstables_json(pools))
    elif pools.have_games:
        print_crosstables(output.console(), pools)
    else:
        output.echo(_no_games(which))


def _machines(db: Path, words: dict[str, str | None], as_json: bool) -> None:
    from results.tables.machines import machine_json, machine_rows, machine_table, notes, score_rows

    with db_options.opened_games(db, **words) as (store, which, runs):
        found = machine_table(store, [run.id for run in runs], which)
    if as_json:
        output.echo_json(machine_json(found))
    elif not found.machines:
        output.echo(_no_games(which))
    else:
        output.print_table(machine_rows(found), right=frozenset({1, 2, 3, 4}))
        output.echo()
        output.print_table(score_rows(found), right=frozenset({2, 3, 4, 5, 6, 7}), keep=2)
        for line in notes(found):
            output.echo_sentence(line)


def _no_games(which: "Filter") -> str:
    from results.store.filter import EVERYTHING

    return "no games yet" if replace(which, run=None) == EVERYTHING else "no games fit what is asked for"


def _pools(
    db: Path,
    words: dict[str, str | None],
    as_json: bool,
    online: bool = False,
    anchor: str | None = None,
) -> "tuple[Filter, Pools]":
    """The filter, and the pools of its games. Tells on stderr what is missing in them."""
    from arena.cli.view.standings import MOST_TIME_CONTROLS
    from results.store.parse_filter import check_anchor
    from results.tables.pools import pools_of_runs

    with db_options.opened_games(db, **words) as (store, which, runs):
        played = store.played()
        for run in runs:
            if (games := played.get(run.id, 0)) < run.games:
                output.say(f"run {run.id}: {games} of {run.games} scheduled games have been played")
        if len(runs) > 1:
            output.say(f"{len(runs)} runs together; --run ID shows one of them")
        if anchor is not None:
            check_anchor(store, anchor, store.counts(which))
        return which, pools_of_runs(
            store,
            [run.id for run in runs],
            which,
            online=online,
            anchor=anchor,
            most_time_controls=sys.maxsize if as_json else MOST_TIME_CONTROLS,
        )
