"""A ladder as a plan: what it keeps from its beginning to its end, and how it is begun or gone on with."""

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.ladder.file_watch import LadderFile
from arena.ladder.source import batch_for
from arena.planning import build_plan, stored_runs
from arena.planning.errors import PlanError
from arena.planning.plan import Plan
from arena.planning.prepared_run import RunOptions, created, opened
from arena.planning.run_lock import run_lock
from results.record import Run
from results.store.store import Store


@dataclass(frozen=True)
class LadderPlan(Plan):
    """What a ladder keeps from its beginning to its end. Its engines do not name it, nor a number of games."""

    @property
    def config(self) -> dict[str, object]:
        """Without engines, format and games."""
        kept = super().config
        for key in ("engines", "games", *self.format_config.config(len(self.engines))):
            del kept[key]
        return kept

    def stored_as(self, containment: Mapping[str, object], concurrency: int) -> Run:
        """The run in the store, with the size of its batches."""
        run = self.run(containment)
        config = {**run.settings, "batch": batch_for(concurrency)}
        return replace(run, kind="ladder", games=0, config=json.dumps(config))


@contextlib.contextmanager
def prepared_ladder(watched: LadderFile, options: RunOptions) -> Iterator[tuple[LadderPlan, Store]]:
    """Begin a file's ladder, or go on with it; no other arena may. Raises PlanError, RulesError and StoreError."""
    with contextlib.ExitStack() as held:
        stored = held.enter_context(opened(options.db))
        plan = _resumed(watched, stored.runs())
        stored_runs.refuse_namesakes(plan, stored.words("variant"), str(options.db))
        held.enter_context(run_lock(options.db, plan.run_id, plan.name))
        in_force = options.containment.verify(plan.engines)
        store = held.enter_context(created(options.db, stored))
        store.add_run(plan.stored_as(in_force, options.games_at_once), ())
        yield plan, store


def _resumed(watched: LadderFile, stored: Sequence[Run]) -> LadderPlan:
    """The ladder that the file describes, with the seed with which it began. Raises PlanError."""
    loaded = watched.engine_list.tournament
    table = loaded.table
    plan = LadderPlan.of(build_plan.plan_of(loaded, watched.path.parent, "ladder"))
    namesakes = [run for run in stored if (run.kind, run.name) == ("ladder", plan.name)]
    if not namesakes:
        return plan
    began = namesakes[-1]
    # A ladder that began before its variants had books of openings goes on without them.
    plan = next((form for form in stored_runs.forms(plan, [began]) if not stored_runs.differences(form, began)), plan)
    differs = stored_runs.differences(plan, began)
    if table.seed is not None and table.seed != began.seed:
        differs.append(f"seed was {began.seed}, is {table.seed}")
    if differs:
        raise PlanError(
            f"{watched.path}: the ladder {plan.name!r} was begun with other settings ({'; '.join(differs)}): "
            "put them back, or give another name or --db"
        )
    return replace(plan, seed=began.seed)
