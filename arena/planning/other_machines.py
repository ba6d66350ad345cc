"""What planning asks of other machines, on which all games of a run are played."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from arena.play.jobs import EngineSpec
from arena.play.speed_measurement import SpeedRequest
from arena.play.trial_start import Introductions
from arena.run.slots import Slots
from results.record import MachineSpeed

if TYPE_CHECKING:
    from arena.conformance.smoke import Fitness


class OtherMachines(Protocol):
    """`arena.cluster.cluster.Cluster`, for planning cannot import it."""

    notify: Callable[[str], None]
    """Is given a sentence for each machine that comes or goes."""

    @property
    def machines(self) -> list[MachineSpeed]:
        """The machines that were measured for this run, in that order."""

    def slots(self, games_at_once: int | None, *, pin: bool, threads: int) -> Slots:
        """The slots there, so many at most; engines have up to so many threads."""

    def introduce(self, specs: Sequence[EngineSpec]) -> Introductions:
        """See `arena.play.trial_start.introduce`."""

    def check(
        self, specs: Sequence[EngineSpec], variant: str, notify: Callable[[str], None]
    ) -> "Mapping[str, Fitness]":
        """See `arena.conformance.smoke.check_engines`."""

    def measure(self, request: SpeedRequest) -> list[MachineSpeed]:
        """Measure all machines that can play, and later ones when they come; none where it cannot be done."""
