"""What came out of a run: all games, those that are not kept, and the tables. Read from the store."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import merge
from typing import TYPE_CHECKING

from arena.planning.prepared_run import PreparedRun
from arena.run.events import Events, GameEnded
from results.record import GameRecord
from results.store.filter import Filter

if TYPE_CHECKING:
    from results.tables.rating_lists import RatingLists  # numpy: it is loaded while games are played


@dataclass(slots=True)
class RunOutcome:
    """What the store does not have of a run that was played."""

    unfinished: list[GameRecord] = field(default_factory=list)
    interrupted: bool = False
    given_up: dict[int, GameRecord] = field(default_factory=dict)
    """Games that never had a result, however often they were tried, by their numbers."""
    scheduled: int = 0
    """How many games the format has, as far as that is known; 0: nobody knows yet."""
    not_played: int = 0
    """Games that were left out because an engine was withdrawn."""

    def add(self, events: Events) -> None:
        """Games have ended. One that lost its worker before was played again."""
        for record in (event.record for event in events if isinstance(event, GameEnded)):
            self.unfinished = [each for each in self.unfinished if each.id != record.id]
            if record.winner is None:
                self.unfinished.append(record)

    def records(self, run: PreparedRun) -> Iterator[GameRecord]:
        """All games in the schedule's order, read one by one."""
        rest = sorted(self.unfinished, key=lambda record: record.number)
        return merge(run.store.games(run.plan.run_id), rest, key=lambda record: record.number)

    def rating_lists(self, run: PreparedRun) -> "RatingLists":
        """The tables of all games."""
        from results.tables.rating_lists import rating_lists_of_runs

        run_id = run.plan.run_id
        return rating_lists_of_runs(run.store, [run_id], Filter(run=run_id), more=self.unfinished)

    def missing(self, run: PreparedRun) -> int:
        """How many scheduled games are missing; where results decide what is scheduled, as far as that is known."""
        if run.plan.is_fixed:
            return run.plan.games - len(run.store.done(run.plan.run_id))
        return self.not_played + len(self.unfinished)

    def values(self, run: PreparedRun, games_of: Counter[str]) -> dict[str, object]:
        """All but the games, for JSON. `games_of` counts the decided games of each machine."""
        from results.tables.to_json import rating_lists_json

        plan, lists = run.plan, self.rating_lists(run)
        outcome = plan.outcome(run.store)
        values: dict[str, object] = {
            "standings": rating_lists_json(lists),
            "withdrawn": lists.withdrawn,
            "not_played": self.missing(run),
            "format": {"name": plan.format_config.format, **(outcome.values if outcome is not None else {})},
        }
        if run.options.elsewhere is not None:
            values["machines"] = [{"host": host, "games": games} for host, games in sorted(games_of.items())]
        return values
