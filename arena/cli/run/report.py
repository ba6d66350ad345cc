"""Prints what came out of a run: tables, JSON, PGN. All of it is read from the store."""

import json
import sys
from collections.abc import Iterator
from heapq import merge
from typing import TYPE_CHECKING

from arena.cli.output import console, write_whole
from arena.cli.run import event_stream
from arena.cli.run.order import CROSSTABLE, Order, RunOutcome, say
from arena.cli.view import format_result

if TYPE_CHECKING:
    from arena.planning.plan import Plan
    from results.record import GameRecord
    from results.store.store import Store
    from results.tables.pools import Pools


def _tell(plan: "Plan", store: "Store", order: Order, outcome: RunOutcome) -> None:
    """Print and write what came out, all of it read from the store, a game at a time."""
    unfinished = outcome.unfinished
    if order.pgn is not None:
        from results.export import pgn

        write_whole(order.pgn, (pgn(record, plan.name) for record in _records(plan, store, unfinished)))
    if order.as_json:
        _print_json(plan, store, outcome)
    elif order.events != event_stream.STDOUT:
        _print_tables(plan, store, outcome)
    whole = len(store.done(plan.run_id))
    if outcome.interrupted:
        if order.db is None:
            say(f"interrupted: {whole} of {plan.games} games ended; without --db none is kept")
            return
        again = "the same command" if order.everyone or order.resume else "the same command with --resume"
        say(f"interrupted: {whole} of {plan.games} games ended and are kept; {again} plays the rest")
        return
    for record in unfinished:
        say(f"game {record.number} is not kept: {record.detail}; going on with the run plays it again")


def _records(plan: "Plan", store: "Store", unfinished: "list[GameRecord]") -> "Iterator[GameRecord]":
    """All games in the schedule's order, read as asked for."""
    rest = sorted(unfinished, key=lambda record: record.number)
    return merge(store.games(plan.run_id), rest, key=lambda record: record.number)


def _print_json(plan: "Plan", store: "Store", outcome: RunOutcome) -> None:
    """One object on one line, written game by game: a run may have more games than the memory."""
    from results.export import jsonl
    from results.tables.to_json import pools_json

    head = {"run": plan.run_id, "name": plan.name, "seed": plan.seed}
    sys.stdout.write(json.dumps(head)[:-1] + ', "games": [')
    for number, record in enumerate(_records(plan, store, outcome.unfinished)):
        sys.stdout.write((", " if number else "") + json.dumps(jsonl(record)))
    found = _pools(plan, store, outcome)
    tail = {
        "standings": pools_json(found),
        "withdrawn": found.withdrawn,
        "not_played": _not_played(plan, store, outcome),
        "format": format_result.values(plan, store),
    }
    sys.stdout.write("], " + json.dumps(tail)[1:] + "\n")


def _print_tables(plan: "Plan", store: "Store", outcome: RunOutcome) -> None:
    from arena.cli.view import standings

    out = console()
    found = _pools(plan, store, outcome)
    format_result.print_table(out, plan, store)
    standings.print_standings(out, found)
    if missing := _not_played(plan, store, outcome):
        out.print(f"{missing} of {plan.games} scheduled games were not played")
    out.print()
    if len(found.overall.standings.rows) > CROSSTABLE:
        out.print(f"no crosstable of more than {CROSSTABLE} engines is shown here: see arena crosstable", markup=False)
    else:
        standings.print_crosstables(out, found)


def _pools(plan: "Plan", store: "Store", outcome: RunOutcome) -> "Pools":
    from results.store.filter import Filter
    from results.tables.pools import pools_of_runs

    return pools_of_runs(store, [plan.run_id], Filter(run=plan.run_id), more=outcome.unfinished)


def _not_played(plan: "Plan", store: "Store", outcome: RunOutcome) -> int:
    """How many scheduled games are missing; where results decide what is scheduled, as far as that is known."""
    if plan.is_fixed:
        return plan.games - len(store.done(plan.run_id))
    return outcome.not_played + len(outcome.unfinished)
