"""The plan of a sequential test: a match that `arena.sprt.source` ends once it is decided."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from arena.formats.base import Fixed
from arena.planning.plan import Plan
from arena.run.source import FixedSource, OddGame
from arena.sprt.source import SprtSource
from results.ratings.sprt import NoPair, Sprt
from results.record import GameRecord
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

    def source(self, stored: Sequence[GameRecord] = ()) -> SprtSource:
        """The games until the test is decided."""
        assert isinstance(self.format, Fixed)
        match = FixedSource(self.setting, [(self.format, self.format.rounds)], self.games)
        return SprtSource(self.test, self.engines[0].name, match)

    @property
    def is_fixed(self) -> bool:
        return False

    def test_of(self, store: Store) -> SprtSource:
        """The test as far as `store` has its games. Raises OddGame where those are not of this run."""
        games = self.games_to_play(store)
        try:
            games.next()
        except NoPair as odd:
            raise OddGame(f"{store.name}: {odd}: the file was changed by hand; restore it from a copy") from None
        assert isinstance(games.source, SprtSource)
        return games.source
