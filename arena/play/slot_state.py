"""A slot with its jobs: what is sent to its worker, what came back, and what observers know of it."""

import contextlib
import pickle
import time
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field

from arena.play.jobs import GameJob, Jobs
from arena.play.observers import GameSnapshot
from arena.play.result_sender import Finished, GivenBack
from arena.play.slots import Slot
from results.record import GameRecord

LOOK_BACK = 4
"""So many of its last games tell how long a slot's next ones take. The longest decides: one long game among short ones
would keep all jobs behind it waiting."""


@dataclass(slots=True)
class SlotState:
    """A slot and its jobs."""

    index: int
    slot: Slot
    known_engines: frozenset[str]
    """The engines that there were when the worker was started. It knows no others."""
    jobs: deque[GameJob] = field(default_factory=deque)
    """The jobs that it has and of which no record came, in their order. The first one is played."""
    unannounced: deque[GameJob] = field(default_factory=deque)
    """Those of its jobs of which observers do not know yet that they began."""
    announced: GameJob | None = None
    """The game that observers see in this slot: it began for them and has not ended."""
    last_ms: deque[int] = field(default_factory=lambda: deque(maxlen=LOOK_BACK))
    """How long its last games took."""
    faults: int = 0
    """How many of its games were faulty."""
    gives_back: bool = False
    """True from when it was asked to give back what it has in hand until it did."""

    def knows(self, job: GameJob) -> bool:
        """Does its worker know both engines of this game?"""
        return job.p1 in self.known_engines and job.p2 in self.known_engines

    def cannot_play(self, job: GameJob) -> bool:
        """Does its machine lack an engine of this game?"""
        return job.p1 in self.slot.lacks or job.p2 in self.slot.lacks

    def send(self, jobs: tuple[GameJob, ...] = (), give_back: tuple[str, ...] = ()) -> None:
        """Send jobs to its worker, and ask for the jobs of these ids back."""
        self.slot.send(pickle.dumps(Jobs(self.faults, jobs, give_back)))

    def receive(self) -> tuple[Finished, ...] | GameSnapshot | GivenBack | None:
        """The next message of its worker; None where the worker died before it had sent all of it."""
        try:
            message = pickle.loads(self.slot.receive())
        except (EOFError, OSError):
            return None
        return message if isinstance(message, tuple) else None

    def last_records(self, deadline: float) -> list[GameRecord]:
        """What its worker sends until it has ended, or until the deadline."""
        last: list[Finished] = []
        with contextlib.suppress(EOFError, OSError):
            while self.slot.has_message(max(0.0, deadline - time.monotonic())):
                message = pickle.loads(self.slot.receive())
                if not isinstance(message, GameSnapshot | GivenBack):
                    last += message
        return [result.record for result in last]

    def take_back(self, ids: Collection[str]) -> list[GameJob]:
        """Take the jobs of these ids from it. Returns them, the last one first."""
        back = [job for job in reversed(self.jobs) if job.id in ids]
        self.jobs = deque(job for job in self.jobs if job.id not in ids)
        self.unannounced = deque(job for job in self.unannounced if job.id not in ids)
        return back
