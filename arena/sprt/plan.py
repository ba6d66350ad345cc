"""The plan of a sequential test: a match that `arena.sprt.job_source` ends once it is decided."""

from collections.abc import Container
from dataclasses import asdict, dataclass, fields

from arena.formats.base import Fixed
from arena.planning.plan import Plan
from arena.planning.schedule import Schedule
from arena.sprt.job_source import SprtRun
from results.ratings.sprt import Sprt
from results.store.store import Store


@dataclass(frozen=True, kw_only=True)
class SprtPlan(Plan):
    """A match of two engines of which the first may be stronger. `games` is even: at most so many are played.

    Another test of the same engines is another run: the games of a test that has stopped would bias the next one.
    """

    test: Sprt

    @staticmethod
    def of(match: Plan, test: Sprt) -> "SprtPlan":
        """The plan of this test, made from the plan of the match."""
        return SprtPlan(**{field.name: getattr(match, field.name) for field in fields(Plan)}, test=test)

    @property
    def config(self) -> dict[str, object]:
        """The configuration of the match, with the test."""
        return {**super().config, "sprt": asdict(self.test)}

    def job_source(self, store: Store, withdrawn: Container[str]) -> SprtRun:
        """The test, with the games that `store` has. Raises NoPair where a stored game is not of this run."""
        assert isinstance(self.format, Fixed)
        sprt = SprtRun(self.test, self.engines[0].name, Schedule(self.setting, self.format, self.games))
        for record in store.games(self.run_id):
            sprt.record(record)
        return sprt
