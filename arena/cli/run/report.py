"""Prints what came out of a run: tables, JSON, PGN. All of it is read from the store."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import merge
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.output import console, say
from arena.cli.view import format_result
from arena.whole_file import write_whole

if TYPE_CHECKING:
    from arena.planning.plan import Plan
    from arena.planning.prepared_run import PreparedRun
    from results.record import GameRecord
    from results.tables.pools import Pools

CROSSTABLE = 64
"""The most engines whose crosstable fits on a screen."""


@dataclass(slots=True)
class RunOutcome:
    """What the store does not have of a run that was played."""

    unfinished: "list[GameRecord]" = field(default_factory=list)
    interrupted: bool = False
    not_played: int = 0
    """Games that were left out because an engine was withdrawn."""

    def add(self, record: "GameRecord") -> None:
        """A game has ended. One that lost its worker before was played again."""
        self.unfinished = [each for each in self.unfinished if each.id != record.id]
        if record.winner is None:
            self.unfinished.append(record)


def print_outcome(run: "PreparedRun[Plan]", outcome: RunOutcome, as_json: bool) -> None:
    """Print all games and tables as one JSON object, or the tables for people; then what is not kept."""
    if as_json:
        _print_json(run, outcome)
    else:
        _print_tables(run, outcome)
    for record in () if outcome.interrupted else outcome.unfinished:
        say(f"game {record.number} is not stored: {record.detail}; it is played again when the run goes on")


def write_pgn(run: "PreparedRun[Plan]", outcome: RunOutcome, path: Path) -> None:
    """Write all games to a file, one at a time."""
    from results.export import pgn

    write_whole(path, (pgn(record, run.plan.name) for record in _records(run, outcome)))


def _records(run: "PreparedRun[Plan]", outcome: RunOutcome) -> "Iterator[GameRecord]":
    """All games in the schedule's order, read as asked for."""
    rest = sorted(outcome.unfinished, key=lambda record: record.number)
    return merge(run.store.games(run.plan.run_id), rest, key=lambda record: record.number)


def _print_json(run: "PreparedRun[Plan]", outcome: RunOutcome) -> None:
    """One object on one line, written game by game: a run may have more games than the memory."""
    from results.export import jsonl
    from results.tables.to_json import pools_json

    plan = run.plan
    games_of: Counter[str] = Counter()
    """Decided games of each machine."""
    head = {"run": plan.run_id, "name": plan.name, "seed": plan.seed}
    sys.stdout.write(json.dumps(head)[:-1] + ', "games": [')
    for number, record in enumerate(_records(run, outcome)):
        sys.stdout.write((", " if number else "") + json.dumps(jsonl(record)))
        if record.winner is not None:
            games_of[record.host] += 1
    found = _pools(run, outcome)
    tail: dict[str, object] = {
        "standings": pools_json(found),
        "withdrawn": found.withdrawn,
        "not_played": _not_played(run, outcome),
        "format": format_result.values(plan, run.store),
    }
    if run.options.elsewhere is not None:
        tail["machines"] = _machines(run, games_of)
    sys.stdout.write("], " + json.dumps(tail)[1:] + "\n")


def _machines(run: "PreparedRun[Plan]", games_of: Counter[str]) -> list[dict[str, object]]:
    """The machines that were measured for the run or have played for it."""
    from results.tables.machines import MachineGames, machines_json

    speeds = {machine.host: machine for machine in run.store.machines(run.plan.run_id)}
    return machines_json(MachineGames(host, games_of[host], speeds.get(host)) for host in {**speeds, **games_of})


def _print_tables(run: "PreparedRun[Plan]", outcome: RunOutcome) -> None:
    from arena.cli.view import pool_tables

    out = console()
    found = _pools(run, outcome)
    format_result.print_table(out, run.plan, run.store)
    pool_tables.print_standings(out, found)
    if missing := _not_played(run, outcome):
        out.print(f"{missing} of {run.plan.games} scheduled games were not played")
    out.print()
    if len(found.overall.standings.rows) > CROSSTABLE:
        out.print(f"no crosstable of more than {CROSSTABLE} engines is shown here: see arena crosstable", markup=False)
    else:
        pool_tables.print_crosstables(out, found)


def _pools(run: "PreparedRun[Plan]", outcome: RunOutcome) -> "Pools":
    from results.store.filter import Filter
    from results.tables.pools import pools_of_runs

    run_id = run.plan.run_id
    return pools_of_runs(run.store, [run_id], Filter(run=run_id), more=outcome.unfinished)


def _not_played(run: "PreparedRun[Plan]", outcome: RunOutcome) -> int:
    """How many scheduled games are missing; where results decide what is scheduled, as far as that is known."""
    if run.plan.is_fixed:
        return run.plan.games - len(run.store.done(run.plan.run_id))
    return outcome.not_played + len(outcome.unfinished)
