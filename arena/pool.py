"""Live engines of one worker: started when first needed, kept between games, replaced after a fault.

The only place in `arena` that starts engines.
"""

import re
import shlex
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from arena import cpus
from arena.games.rules import Rules
from arena.jobs import EngineSpec, Terms
from arena.referee import Seat
from protocol.alarm import Alarm
from protocol.containment.warden import Warden
from protocol.faults import CannotStart, EngineFault, Scene
from protocol.freeze import Freezer
from protocol.process import Command, EngineProcess
from protocol.rundelay import Own, Tasks
from protocol.session import Identity, Session
from protocol.stopwatch import Stopwatch
from protocol.trace import Trace
from protocol.transport import Exit

SIDE_BY_SIDE = 16
"""Engines that are introduced at once."""
KEPT = 8
"""Engines that one worker keeps alive between games; the one unused longest goes first."""
TRANSCRIPT_LINES = 60
LINE_COLUMNS = 1_000
STDERR_BYTES = 4_096
"""What is kept of a fault: enough for its author, and a thousand faults are some megabytes."""
DEATH_MS = 50
"""How long an engine that has broken off may take to be gone, so that its own end can be told from ours."""


End = TypeVar("End", Exit, Scene)


class Live:
    """One running engine: its process, its session, and the variant it was last told to play."""

    def __init__(
        self,
        spec: EngineSpec,
        warden: Warden,
        alarm: Alarm | None = None,
        spawned: Callable[[EngineProcess], None] = lambda process: None,
        place: str = "introduction",
    ) -> None:
        """Start the engine, shake hands, set its options. After CannotStart or EngineFault nothing is left running.

        An EngineFault has the scene of it. `place` tells its traces apart from those of other workers. Raises OSError
        where a trace cannot be written.
        """
        self.spec = spec
        self.trace = Trace(trace_path(spec, place), spec.name) if spec.trace else None
        self.process = EngineProcess.spawn(Command(spec.command, spec.box), warden, alarm)
        spawned(self.process)
        self.session = Session(self.process, spec.patience)
        if self.trace is not None:
            self.session.overheard(self.trace.note)
        self._variant: str | None = None
        self._tasks = Tasks(self.process.cpu_pid, cpus.count())
        self._own = Own()
        self.process.before_wait = self._own.mark
        self._freezer: Freezer | None = None
        try:
            self.identity: Identity = self.session.handshake()
            for name, value in spec.options.items():
                self.session.set_option(name, value)
        except EngineFault as broken:
            broken.scene = self.end()
            raise
        except BaseException:
            self.kill()
            raise

    def begin(self, rules: Rules, seed: int, terms: Terms) -> Seat:
        """Tell the engine which game comes next. Raises EngineFault."""
        if rules.name != self._variant:
            self.session.set_option("UGI_Variant", wire_variant(self.identity, rules) or rules.base)
            self.session.set_option("UGI_Rules", rules.changed_options or "<empty>")
            self._variant = rules.name
        self.session.set_option("Seed", str(seed))
        self.session.new_game()
        watch = Stopwatch(terms.judged_by, self._tasks, self._own)
        if not terms.freeze:
            return Seat(self.session, watch)
        self._freezer = self._freezer or Freezer((self.process.pid, self.process.cpu_pid))
        return Seat(self.session, watch, self._freezer.freeze, self._freezer.thaw)

    def quit(self) -> Exit:
        """End it as the protocol says."""
        self._close()
        return self._ended(self.session.quit())

    def kill(self) -> Exit:
        """End it at once."""
        self._close()
        return self._ended(self.process.kill())

    def end(self) -> Scene:
        """Kill it after a fault of its own, and say what it left behind."""
        gone = self.process.wait(time.monotonic_ns() + DEATH_MS * 1_000_000)
        end = self.kill()
        return Scene(
            tuple(line[:LINE_COLUMNS] for line in self.session.transcript_tail(self.spec.name)[-TRANSCRIPT_LINES:]),
            self.process.stderr_tail()[-STDERR_BYTES:].decode("utf-8", "backslashreplace").replace("\0", "\\0"),
            end.text if gone else "still running, ended by the referee",
        )

    def remark(self, text: str) -> None:
        """A line of ours in its trace, where there is one."""
        if self.trace is not None:
            self.trace.remark(text)

    def _ended(self, how: Exit) -> Exit:
        if self.trace is not None:
            self.trace.remark(f"{self.spec.name}: {how.text}")
            self.trace.close()
            self.trace = None
        return how

    def _close(self) -> None:
        if self._freezer is not None:
            self._freezer.close()
            self._freezer = None
        self._tasks.close()
        self._own.close()


def trace_path(spec: EngineSpec, place: str) -> Path:
    """The file of an engine's trace: `alphabeta.worker-0.txt`."""
    return Path(spec.trace) / f"{re.sub(r'[^A-Za-z0-9._@+-]', '_', spec.name)}.{place}.txt"


def wire_variant(identity: Identity, rules: Rules) -> str | None:
    """The UGI_Variant value by which this engine plays these rules, None where it announced variants but not this one.

    An engine that announces `callanish`, every board that a position string draws, plays each board of that family.
    """
    announced = identity.options.get("ugi_variant")
    if announced is None or rules.base in announced.choices:
        return rules.base
    if rules.base.startswith("callanish") and "callanish" in announced.choices:
        return "callanish"
    return None


class Pool:
    """The engines of one worker, by name."""

    def __init__(self, specs: Mapping[str, EngineSpec], alarm: Alarm | None = None, place: str = "worker") -> None:
        """`alarm` is that of the process, where the main thread alone speaks to the engines; `place` names traces."""
        self._specs = specs
        self._alarm = alarm
        self._place = place
        self._warden = Warden()
        self._live: OrderedDict[str, Live] = OrderedDict()

    def get(self, name: str) -> Live:
        """The engine's live process, started if it is not running. Raises CannotStart, EngineFault."""
        if name not in self._live:
            self._live[name] = Live(self._specs[name], self._warden, self._alarm, place=self._place)
        self._live.move_to_end(name)
        return self._live[name]

    def trim(self) -> None:
        """Between games: write traces, quit who is started anew for each game, and the engines unused longest.

        No more than KEPT are left.
        """
        if self._alarm is not None:
            self._alarm.stop()
        for live in self._live.values():
            if live.trace is not None:
                live.trace.flush()
        for name in [name for name, live in self._live.items() if live.spec.restart]:
            self._end(name, Live.quit)
        while len(self._live) > KEPT:
            self._end(next(iter(self._live)), Live.quit)

    def drop(self, name: str) -> Scene | None:
        """Kill the engine's process, if there is one, and say what it left: its next game gets a fresh one."""
        return self._end(name, Live.end) if name in self._live else None

    def quit(self) -> None:
        """Quit all engines as the protocol says."""
        for name in list(self._live):
            self._end(name, Live.quit)

    def kill(self) -> None:
        """Kill all engines at once."""
        for live in self._live.values():  # all of them before anything is waited for: a killed arena leaves 2 s
            live.process.strike()
        for name in list(self._live):
            self._end(name, Live.kill)

    def _end(self, name: str, how: Callable[[Live], End]) -> End:
        """End it, then forget it: a stop that comes in between must still find it here."""
        end = how(self._live[name])
        del self._live[name]
        return end


def introduce(specs: Sequence[EngineSpec]) -> list[tuple[Identity, str]]:
    """Start each engine, shake hands, see that it gets ready, quit it; all side by side, none is left behind.

    Of each what it said of itself and, where it cannot be started, the reason in one sentence.
    """
    warden = Warden()
    started: list[EngineProcess] = []
    with ThreadPoolExecutor(max_workers=min(SIDE_BY_SIDE, len(specs))) as threads:
        waiting = [threads.submit(_introduce, spec, warden, started) for spec in specs]
        try:
            return [each.result() for each in waiting]
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            for process in started:
                process.strike()
            raise


def _introduce(spec: EngineSpec, warden: Warden, started: list[EngineProcess]) -> tuple[Identity, str]:
    try:
        live = Live(spec, warden, spawned=started.append)
    except EngineFault as broken:
        return NOBODY, _unfit(spec, broken, broken.scene)
    except CannotStart as refused:
        return NOBODY, f"engine {spec.name!r} cannot be started: {refused}"
    try:
        live.session.ready()
    except EngineFault as broken:
        scene = live.end()
        return NOBODY, _unfit(spec, broken, scene)
    live.quit()
    return live.identity, ""


def _unfit(spec: EngineSpec, broken: EngineFault, scene: Scene | None) -> str:
    """One that began and did not keep to the protocol: the checks show its author what was said."""
    told = f"engine {spec.name!r} cannot be started: {broken.detail}{_last_words(scene)}"
    return f"{told}; `arena check {shlex.quote(shlex.join(spec.command))} --level smoke` shows what was said"


def _last_words(scene: Scene | None) -> str:
    """The last line that the engine wrote on stderr: mostly the very reason."""
    lines = scene.stderr.strip().splitlines() if scene is not None else []
    return f"; its last words on stderr: {lines[-1].strip()[:200]}" if lines else ""


NOBODY = Identity("", "", "", {})
