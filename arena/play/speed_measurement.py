"""Measures how fast a machine is: an engine searches on all its slots at once, as engines do in games.

What counts is the time that games would charge. So two machines can be compared, and so can the same machine with more
or fewer slots. Independent of how many machines there are and of what their speed is used for.
"""

import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from arena.games import variants
from arena.games.game import Game
from arena.play.engine_pool import LiveEngine
from arena.play.jobs import EngineSpec, Terms
from arena.play.referee import FIXED, budget, position_line
from arena.timing.clock import MS
from arena.timing.time_control import MAX_MS, Limit
from protocol import grammar
from protocol.faults import CannotStart, EngineFault, MachineLate
from results.record import MachineSpeed

SECONDS = 2.0
"""Each slot searches for so long, and finishes the search that it has begun."""
SEARCH_S = 0.25
"""A search takes about so long where its number of nodes was chosen."""
LONGEST_S = 20.0
"""No search may take longer."""
FEWEST = 500
"""The nodes of the first search."""
START_S = 60.0
"""All slots have an engine that is ready after so long."""
MOST_FACTOR = 10.0
"""The times of games are multiplied by no more than this, and divided by no more."""
MOST_TRIED = 8
"""So many engines of a run are tried until one can be measured with."""


class NotMeasured(Exception):
    """The speed cannot be measured with this engine. The message is a clause."""


@dataclass(frozen=True, slots=True)
class SpeedSearch:
    """What an engine searches from."""

    variant: str
    fen: str | None
    """None: the variant's own start."""


@dataclass(frozen=True, slots=True)
class SpeedRequest:
    """How the machines of a run are to be measured."""

    engines: tuple[EngineSpec, ...]
    """The first one that can be measured with is taken."""
    search: SpeedSearch
    threads: int
    """How many CPUs of a machine a game has."""
    pin: bool
    normalise: bool
    """Are the time limits of games multiplied by what comes out?"""
    before: MachineSpeed | None = None
    """What the run was measured with before. With the same engine, its nodes and its reference hold on."""


def choose_nodes(spec: EngineSpec, search: SpeedSearch) -> int:
    """How many nodes the engine searches here in about SEARCH_S. Raises NotMeasured."""
    searching = _Searching(spec, search)
    nodes = FEWEST
    try:
        while nodes <= MAX_MS:
            searched, seconds = searching.search(nodes)
            if seconds >= SEARCH_S / 2:
                # Two digits are enough, and people read them.
                return max(FEWEST, int(float(f"{searched * SEARCH_S / seconds:.1e}")))
            nodes = round(nodes * min(16.0, max(2.0, SEARCH_S / max(seconds, 1e-6))))
        raise NotMeasured(f"its search is over in {seconds * 1000:.0f} ms, however many nodes it may use")
    finally:
        searching.end()


def measure(spec: EngineSpec, search: SpeedSearch, nodes: int, cpus: Sequence[int | None]) -> float:
    """Nodes a second on each slot, with an engine on every slot; a slot has this CPU, or any. Raises NotMeasured."""
    ready = threading.Barrier(len(cpus))

    def on_slot(cpu: int | None) -> tuple[int, float]:
        try:
            if cpu is not None:
                os.sched_setaffinity(0, {cpu})  # of this thread alone; the engine that it starts has it, too
            searching = _Searching(spec, search)
        except BaseException:
            ready.abort()
            raise
        try:
            searching.search(FEWEST)  # what an engine does once, at its first search, is not speed
            ready.wait(START_S)
            end = time.monotonic() + SECONDS
            sums = searching.search(nodes)
            while time.monotonic() < end:
                searched, seconds = searching.search(nodes)
                sums = sums[0] + searched, sums[1] + seconds
            return sums
        except BaseException:
            ready.abort()
            raise
        finally:
            searching.end()

    with ThreadPoolExecutor(len(cpus)) as threads:
        slots = [threads.submit(on_slot, cpu) for cpu in cpus]
    wrong = [error for slot in slots if (error := slot.exception()) is not None]
    if wrong:
        # Slots that waited for another one know no reason of their own.
        raise next((error for error in wrong if not isinstance(error, threading.BrokenBarrierError)), NotMeasured(LATE))
    searches = [slot.result() for slot in slots]
    return sum(searched for searched, _ in searches) / sum(seconds for _, seconds in searches)


LATE = f"not all slots had a running engine within {START_S:.0f} s"


class _Searching:
    """A running engine that searches the start of one variant."""

    def __init__(self, spec: EngineSpec, search: SpeedSearch) -> None:
        """Start the engine. Raises NotMeasured."""
        self._rules, start, *_ = variants.resolve(search.variant, "", search.fen)
        self._game = Game(self._rules, start)
        try:
            self._live = LiveEngine(spec, trace_label="speed")
        except (CannotStart, EngineFault) as wrong:
            raise NotMeasured(f"it cannot be started: {wrong}") from None

    def search(self, nodes: int) -> tuple[int, float]:
        """Search anew, as for a new game. Returns the nodes that the engine reports, and the seconds. NotMeasured."""
        terms = Terms(Limit("nodes", value=nodes), move_limit_ms=int(LONGEST_S * 1000))
        try:
            seat = self._live.begin(self._rules, 1, terms)
            seat.session.prepare(position_line(self._game, seat.knows_start), seat.watch, terms.reading_ms * MS)
            reply, (_, judged_ns, *_) = seat.session.search(FIXED["nodes"](nodes), *budget(terms), seat.watch)
        except EngineFault as broken:
            raise NotMeasured(broken.detail) from None
        except MachineLate as late:
            raise NotMeasured(str(late)) from None
        searched = None if reply.last_info is None else grammar.summary(reply.last_info).nodes
        if not searched:
            raise NotMeasured("it reports no nodes")
        return searched, judged_ns / 1e9

    def end(self) -> None:
        self._live.quit()
