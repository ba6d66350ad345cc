"""Follows one run from another process, from its beginning to its end."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from arena.live.reader import LiveFile, RunState
from arena.live.state import LiveResult, LiveRun

State = RunState | Literal["none"]


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
        self.problems |= dict.fromkeys(each.problem for each in files if each.problem)
        followed = next((each for each in files if self._is_followed(each)), None)
        if followed is None:
            return Followed("none" if self._run is None else "ended", self._run)
        assert followed.run is not None
        self._run = followed.run
        self.others = tuple(
            each.run for each in files if each.run is not None and each.state == "running" and each.run is not self._run
        )
        return Followed(followed.state, self._run)

    def _is_followed(self, file: LiveFile) -> bool:
        if file.run is None:
            return False
        if self._run is not None:
            return file.run.run == self._run.run
        return file.run.run.startswith(self._run_id) and file.state in ("running", *["stopped"] * (not self._wait))

    def news(self, run: LiveRun) -> list[LiveResult]:
        """The games that ended since the last call, as far as they are told, the oldest first."""
        new = [result for result in reversed(run.last) if result.number not in self._known]
        # A game's number comes once in a run, and only the last games are told.
        self._known = {result.number for result in run.last}
        return new
