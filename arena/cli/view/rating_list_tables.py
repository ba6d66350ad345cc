"""Prints the standings and crosstables of rating lists, with the notes below them."""

import sys
from dataclasses import replace
from pathlib import Path

from arena.cli import output
from arena.cli.db_options import TableFilter
from results.store.filter import EVERYTHING, Filter
from results.store.lookup import check_anchor
from results.store.store import Store
from results.tables.rating_lists import RatingList, RatingLists, rating_lists_of_runs
from results.tables.render import (
    OF_CROSSTABLES,
    crosstable_tables,
    duel_table,
    legend,
    standings_notes,
    standings_table,
)
from results.tables.to_json import rating_lists_json
from results.tally import Part

MOST_TIME_CONTROLS = 6
"""If there are more time controls than this, they have no tables on a screen."""
_WORDS: dict[Part, str] = {"variant": "variants", "tc": "time controls"}


def print_standings(lists: RatingLists, *, wide: bool = False, by: Part | None = None) -> None:
    """Print the table of all games, then those of the parts that are asked for, and one legend."""
    parts: list[Part] = [part for part in _WORDS if lists.parts(part)]
    tables = [lists.overall, *(lists.parts(by) if by else ())]
    for number, ratings in enumerate(tables):
        if number:
            output.echo()
        _print_one(lists, ratings, len(tables) > 1, wide)
    misfit = lists.overall.standings.misfit
    clocks_matter = misfit is not None and misfit.is_significant
    for part in parts:
        if part != by and (part == "variant" or clocks_matter):
            output.echo(f"{len(lists.parts(part))} {_WORDS[part]} together: --by {part} shows each")
    if lists.hidden_time_controls and (by == "tc" or (clocks_matter and by is None)):
        output.echo(f"{lists.hidden_time_controls} time controls together: --tc TC shows one of them")
    for name, reason in lists.withdrawn.items():
        output.echo_sentence(f"withdrawn: {name}: {reason}")
    _print_legend(legend([ratings.standings for ratings in tables], wide, None if wide else output.width()))


def _print_legend(lines: list[str]) -> None:
    for line in lines:
        output.echo(line, dim=True)


def print_run_standings(store: Store, run_id: str, gap: bool = False, as_json: bool = False) -> None:
    """Print the standings of one run, if it has games, after an empty line where a `gap` is wanted; or its JSON."""
    lists = rating_lists_of_runs(store, [run_id], Filter(run=run_id), most_time_controls=sys.maxsize if as_json else 0)
    if as_json:
        output.echo_json(rating_lists_json(lists, time_controls=True))
    elif lists.have_games:
        if gap:
            output.echo()
        print_standings(lists)


def _print_one(lists: RatingLists, ratings: RatingList, titled: bool, wide: bool) -> None:
    width, title = None if wide else output.width(), ratings.name if titled else None
    print_lines(standings_table(ratings.standings, title, wide=wide, width=width))
    if len(ratings.standings.duels) > 1:
        output.echo()
        print_lines(duel_table(ratings.standings))
    notes = standings_notes(ratings.standings)
    if lists.anchor != ratings.standings.anchor:
        notes.append(f"not relative to {lists.anchor}, which has no decided game here")
    for note in notes:
        output.echo_sentence(note)


def print_crosstables(lists: RatingLists, explained: bool = False) -> None:
    """Print the crosstable of each rating list, that of all games last; `explained`: after a legend of its columns."""
    width = output.width() if sys.stdout.isatty() else None
    titled = len(lists.tables) > 1
    tables = (
        table
        for ratings in lists.tables
        for table in crosstable_tables(ratings.crosstable, ratings.name if titled else None, width)
    )
    for number, table in enumerate(tables):
        if number:
            output.echo()
        print_lines(table)
    if not explained:
        _print_legend(legend([each.standings for each in lists.tables], width=output.width(), of=OF_CROSSTABLES))


def print_lines(lines: list[str]) -> None:
    """Print a table, the first line bold."""
    for number, line in enumerate(lines):
        output.echo(line, bold=number == 0)


def no_games(which: Filter) -> str:
    """The answer where there is no game to count."""
    return "no games yet" if replace(which, run=None) == EVERYTHING else "no games match these filters"


def rating_lists_of(
    db: Path, which: TableFilter, as_json: bool, online: bool = False, anchor: str | None = None
) -> tuple[Filter, RatingLists]:
    """The filter, and the rating lists of its games. Tells on stderr what is missing in them."""
    with which.opened(db) as (store, chosen, runs):
        played = store.played()
        for run in runs:
            if (games := played.get(run.id, 0)) < run.games:
                output.say(f"run {run.id}: {games} of {run.games} scheduled games have been played")
        if len(runs) > 1:
            output.say(f"{len(runs)} runs together; --run ID shows one of them")
        if anchor is not None:
            check_anchor(store, anchor, store.counts(chosen))
        return chosen, rating_lists_of_runs(
            store,
            [run.id for run in runs],
            chosen,
            online=online,
            anchor=anchor,
            most_time_controls=sys.maxsize if as_json else MOST_TIME_CONTROLS,
        )
