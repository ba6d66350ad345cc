"""Prints the standings and crosstables of rating lists, with the notes below them."""

import sys
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from arena.cli import output
from arena.cli.db_options import TableFilter
from results.safe_text import harmless
from results.store.filter import EVERYTHING, Filter
from results.store.parse_filter import check_anchor
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


def print_standings(out: Console, lists: RatingLists, *, wide: bool = False, by: Part | None = None) -> None:
    """Print the table of all games, then those of the parts that are asked for, and one legend.

    Variants and time controls have tables with `by`.
    """
    parts: list[Part] = [part for part in _WORDS if lists.parts(part)]
    tables = [lists.overall, *(lists.parts(by) if by else ())]
    for number, ratings in enumerate(tables):
        if number:
            out.print()
        _print_one(out, lists, ratings, len(tables) > 1, wide)
    misfit = lists.overall.standings.misfit
    clocks_matter = misfit is not None and misfit.is_significant
    for part in parts:
        if part != by and (part == "variant" or clocks_matter):
            out.print(f"{len(lists.parts(part))} {_WORDS[part]} together: --by {part} shows each", markup=False)
    if lists.hidden_time_controls and (by == "tc" or (clocks_matter and by is None)):
        out.print(f"{lists.hidden_time_controls} time controls together: --tc TC shows one of them", markup=False)
    for name, reason in lists.withdrawn.items():
        out.print(harmless(f"withdrawn: {name}: {reason}"), markup=False)
    _print_legend(out, legend([ratings.standings for ratings in tables], wide, None if wide else out.width))


def _print_legend(out: Console, lines: list[str]) -> None:
    for line in lines:
        out.print(harmless(line), markup=False, soft_wrap=not out.is_terminal, style="dim")


def print_run_standings(store: Store, run_id: str, gap: bool = False, as_json: bool = False) -> None:
    """Print the standings of one run, if it has games, after an empty line where a `gap` is wanted; or its JSON."""
    lists = rating_lists_of_runs(store, [run_id], Filter(run=run_id))
    if as_json:
        output.echo_json(rating_lists_json(lists, time_controls=True))
    elif lists.have_games:
        if gap:
            output.echo()
        print_standings(output.console(), lists)


def _print_one(out: Console, lists: RatingLists, ratings: RatingList, titled: bool, wide: bool) -> None:
    width = None if wide else out.width
    title = ratings.name if titled else None
    print_lines(out, standings_table(ratings.standings, title, wide=wide, width=width))
    if len(ratings.standings.duels) > 1:
        out.print()
        print_lines(out, duel_table(ratings.standings))
    notes = standings_notes(ratings.standings)
    if lists.anchor != ratings.standings.anchor:
        notes.append(f"not relative to {lists.anchor}, which has no decided game here")
    for note in notes:
        out.print(harmless(note), markup=False, soft_wrap=not out.is_terminal)


def print_crosstables(out: Console, lists: RatingLists) -> None:
    """Print the crosstable of each rating list, that of all games last."""
    for number, ratings in enumerate(lists.tables):
        title = ratings.name if len(lists.tables) > 1 else None
        for part, table in enumerate(
            crosstable_tables(ratings.crosstable, title, out.width if out.is_terminal else None)
        ):
            if number or part:
                out.print()
            print_lines(out, table)
    _print_legend(out, legend([ratings.standings for ratings in lists.tables], width=out.width, of=OF_CROSSTABLES))


def print_lines(out: Console, lines: list[str]) -> None:
    """Print a table, the first line bold. A narrow terminal breaks lines, where rich would leave figures out."""
    for number, line in enumerate(lines):
        out.print(line, markup=False, soft_wrap=True, style="" if number else "bold")


def no_games(which: Filter) -> str:
    """The answer where there is no game to count."""
    return "no games yet" if replace(which, run=None) == EVERYTHING else "no games fit what is asked for"


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
