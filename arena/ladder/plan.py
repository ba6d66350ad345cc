"""How a ladder is begun or gone on with."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.ladder.file_watch import LadderFile
from arena.ladder.source import batch_for
from arena.planning import build_plan, stored_runs
from arena.planning.errors import PlanError
from arena.planning.plan import Plan
from arena.planning.prepared_run import PreparedRun, RunOptions, opened, refuse_freeze
from arena.planning.run_lock import run_lock
from results.record import Run
from results.store.store import Store


@contextlib.contextmanager
def prepared_ladder(watched: LadderFile, options: RunOptions) -> Iterator[PreparedRun]:
    """Begin a file's ladder, or go on with it; no other arena may. Raises PlanError, RulesError and StoreError."""
    with contextlib.ExitStack() as held:
        stored = held.enter_context(opened(options.db))
        plan = _resumed(watched, [] if stored is None else stored.runs())
        if plan.terms.freeze:
            refuse_freeze(options)
        if stored is not None:
            stored_runs.refuse_namesakes(plan, stored.words("variant"), str(options.db))
        held.enter_context(run_lock(options.db, plan.run_id, plan.name))
        in_force = options.containment.verify(plan.engines)
        assert options.db is not None
        store = stored or held.enter_context(Store.create_or_open(options.db))
        store.add_run(plan.run(in_force, batch=batch_for(options.games_at_once)), ())
        yield PreparedRun(plan, store, options, options.slots(plan), len(store.done(plan.run_id)), {})


def _resumed(watched: LadderFile, stored: Sequence[Run]) -> Plan:
    """The ladder that the file describes, with the seed with which it began. Raises PlanError."""
    loaded = watched.engine_list
    seed = loaded.table.seed
    plan = build_plan.plan_of(loaded, "ladder")
    namesakes = [run for run in stored if (run.kind, run.name) == ("ladder", plan.name)]
    if not namesakes:
        return plan
    began = namesakes[-1]
    differs = stored_runs.differences(plan, began)
    if seed is not None and seed != began.seed:
        differs.append(f"seed was {began.seed}, is {seed}")
    if differs:
        raise PlanError(
            f"{watched.path}: the ladder {plan.name!r} was begun with other settings ({'; '.join(differs)}): "
            "put them back, or give another name or --db"
        )
    return replace(plan, seed=began.seed, began=began.id)
