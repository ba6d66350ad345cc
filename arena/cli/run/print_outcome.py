"""Prints what came out of a run: tables, JSON, PGN."""

import json
import sys
from collections import Counter
from pathlib import Path

from arena.cli.output import echo, print_table, say, write_file
from arena.formats.base import FormatOutcome
from arena.imports.replay import written
from arena.planning.prepared_run import PreparedRun, RunOutcome
from results.export import jsonl, pgn

CROSSTABLE = 64
"""The most engines whose crosstable fits on a screen."""


def print_outcome(run: PreparedRun, outcome: RunOutcome, as_json: bool) -> None:
    """Print all games and tables as one JSON object, or the tables for people; then what is not kept."""
    if as_json:
        _print_json(run, outcome)
    else:
        _print_tables(run, outcome)
    for record in () if outcome.interrupted else outcome.unfinished:
        say(f"game {record.number} is not stored: {record.detail}; it is played again when the run goes on")


def write_pgn(run: PreparedRun, outcome: RunOutcome, path: Path) -> None:
    """Write all games that began to a file, one at a time."""
    write_file(path, (pgn(record, written(record), run.plan.name) for record in outcome.records(run) if record.fen))


def _print_json(run: PreparedRun, outcome: RunOutcome) -> None:
    """One object on one line, written game by game: a run may have more games than the memory."""
    from results.tables.to_json import json_text

    plan = run.plan
    games_of: Counter[str] = Counter()
    """Decided games of each machine."""
    head = {"run": plan.run_id, "name": plan.name, "seed": plan.seed}
    sys.stdout.write(json.dumps(head)[:-1] + ', "games": [')
    for number, record in enumerate(outcome.records(run)):
        sys.stdout.write((", " if number else "") + json.dumps(jsonl(record)))
        if record.winner is not None:
            games_of[record.host] += 1
    sys.stdout.write("], " + json_text(outcome.values(run, games_of))[1:] + "\n")


def _print_tables(run: PreparedRun, outcome: RunOutcome) -> None:
    from arena.cli.view import rating_list_tables  # late: it loads numpy

    lists = outcome.rating_lists(run)
    if (result := run.plan.outcome(run.store)) is not None:
        _print_format(result)
    rating_list_tables.print_standings(lists)
    if missing := outcome.missing(run):
        echo(f"{missing} of {outcome.scheduled or run.plan.games} scheduled games were not played")
    if len(lists.overall.standings.rows) <= 2:
        return  # the line of the match says it all
    echo()
    if len(lists.overall.standings.rows) > CROSSTABLE:
        echo(f"no crosstable of more than {CROSSTABLE} engines is shown here: see arena standings --crosstable")
    else:
        rating_list_tables.print_crosstables(lists, explained=True)


def _print_format(result: FormatOutcome) -> None:
    """Print the outcome of a format that pairs by results: a Swiss's table, a knockout's bracket."""
    for title, rows in result.tables:
        echo(title, bold=True)
        right = {at for at, value in enumerate(rows[0].values()) if not isinstance(value, str)}
        cells = [[value if isinstance(value, str) else f"{value:g}" for value in row.values()] for row in rows]
        print_table([list(rows[0]), *cells], right)
    for line in result.lines:
        echo(line)
    echo()
