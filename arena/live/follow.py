"""Follows one run from another process, from its beginning to its end."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from arena.live.reader import LiveFile
from arena.live.state import LiveResult, LiveRun

State = Literal["none", "running", "stopped", "ended"]
"""No run is played; one is; the process that played it was killed; the run has ended."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What has become of the run that is followed."""

    state: State
    run: LiveRun | None = None
    """How it stands, or stood last; None where there is none."""


class Follower:
    """Follows the first run that is played, to its end. `look` gives all event files, as `LiveFiles.look` does."""

    def __init__(self, look: Callable[[], tuple[LiveFile, ...]], run_id: str = "", wait: bool = False) -> None:
        """Only a run whose id begins with `run_id` is followed. With `wait`, killed runs are passed over."""
        self._look = look
        self._run_id = run_id
        self._wait = wait
        self._run: LiveRun | None = None
        self._known: set[int] = set()
        self.problems: dict[str, None] = {}
        """The sentences about files that cannot be used, each once."""
        self.others: tuple[LiveRun, ...] = ()
        """The other runs that are played into the same database, at the last look."""

    def now(self) -> Followed:
        """What has become of it by now. Once it has stopped or ended it stays so."""
        files = self._look()
        followed = self._of(files)
        runs = tuple(each.run for each in files if each.run is not None and each.is_running)
        self.others = tuple(run for run in runs if followed.run is None or run.run != followed.run.run)
        return followed

    def _of(self, files: tuple[LiveFile, ...]) -> Followed:
        self.problems |= dict.fromkeys(each.problem for each in files if each.problem)
        for each in files:
            if each.run is None or not each.run.run.startswith(self._run_id):
                continue
            if self._run is None and self._wait and not each.is_running:
                continue
            if self._run is None or each.run.run == self._run.run:
                self._run = each.run
                self._run_id = each.run.run
                return Followed("running" if each.is_running else "stopped", each.run)
        return Followed("none" if self._run is None else "ended", self._run)

    def news(self, run: LiveRun) -> list[LiveResult]:
        """The games that ended since the last call, as far as they are told, the oldest first."""
        new = [result for result in reversed(run.last) if result.number not in self._known]
        # A game's number comes once in a run, and only the last games are told.
        self._known = {result.number for result in run.last}
        return new
