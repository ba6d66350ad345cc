"""The plan of a sequential test: a match that `arena.sprt.job_source` ends once it is decided."""

from collections.abc import Callable, Container
from dataclasses import asdict, dataclass

from arena.formats.base import Fixed
from arena.planning.job_sources import OddGame
from arena.planning.plan import Plan
from arena.planning.schedule import Schedule
from arena.sprt.job_source import SprtRun
from results.ratings.sprt import NoPair, Sprt
from results.store.store import Store


@dataclass(frozen=True, kw_only=True)
class SprtPlan(Plan):
    """A match of two engines of which the first may be stronger. `games` is even: at most so many are played.

    Another test of the same engines is another run: the games of a test that has stopped would bias the next one.
    """

    test: Sprt

    @property
    def config(self) -> dict[str, object]:
        """The configuration of the match, with the test."""
        return {**super().config, "sprt": asdict(self.test)}

    @property
    def may_end_early(self) -> bool:
        """Always: the test decides."""
        return True

    def job_source(
        self,
        store: Store,
        withdrawn: Container[str] = (),
        withdraw: Callable[[str, str], None] = lambda name, reason: None,
    ) -> SprtRun:
        """The test as far as `store` has its games. Raises OddGame where those are not of this run."""
        assert isinstance(self.format, Fixed)
        test = SprtRun(self.test, self.engines[0].name, Schedule(self.setting, self.format, self.games))
        try:
            for record in store.games(self.run_id):
                test.record(record)
        except NoPair as odd:
            raise OddGame(f"{store.name}: {odd}: the file was changed by hand; restore it from a copy") from None
        return test
