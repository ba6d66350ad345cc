"""What planning asks of other machines, on which all games of a run are played."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from arena.play.jobs import EngineSpec
from arena.play.trial_start import Introductions
from arena.run.slots import Slots

if TYPE_CHECKING:
    from arena.conformance.smoke import Fitness


class OtherMachines(Protocol):
    """`arena.cluster.cluster.Cluster`, for planning cannot import it."""

    @property
    def machines(self) -> list[tuple[str, int]]:
        """The machines that can play now: their names, and how many games each plays at once."""

    def slots(self, games_at_once: int | None, *, pin: bool, threads: int, freeze: bool) -> Slots:
        """The slots there, so many at most; engines have up to so many threads, and may be frozen."""

    def introduce(self, specs: Sequence[EngineSpec]) -> Introductions:
        """See `arena.play.trial_start.introduce`."""

    def check(
        self, specs: Sequence[EngineSpec], variant: str, notify: Callable[[str], None]
    ) -> "Mapping[str, Fitness]":
        """See `arena.conformance.smoke.check_engines`."""
