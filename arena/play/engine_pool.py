"""The running engines of one worker: started when first needed, kept between games, replaced after a fault.

Games have their engines from here alone; the checks of `arena/conformance` start their own.
"""

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from arena.games.rules import Rules
from arena.games.variants import announced_as
from arena.games_at_once import cpus
from arena.play.adjudication import SIDES
from arena.play.jobs import EngineSpec, Terms
from arena.play.referee import Seat
from arena.timing.time_control import Limit
from protocol.cpu_meter import CpuMeter, own_wait_ns
from protocol.faults import CannotStart, EngineFault, LastWords
from protocol.process import Command, EngineProcess
from protocol.session import KEPT_LINES, Identity, Session
from protocol.stopwatch import Stopwatch, Waits
from protocol.trace import Trace
from protocol.transport import Exit
from results.record import Evidence

SIDE_BY_SIDE = 16
"""How many engines are introduced at the same time."""
KEPT = 8
"""How many engines a worker keeps alive between games. The one unused for longest is ended first."""
DEATH_MS = 50
"""How many ms an engine has to exit after it broke off. So its own exit can be told from our kill."""
LINE_COLUMNS = 1_000
STDERR_BYTES = 4_096
"""How much of an engine's output is stored with a fault. A thousand faults take some megabytes."""


End = TypeVar("End", Exit, LastWords)


class RelayMeter(CpuMeter):
    """That of a guest's relay. It has no waits: a guest that talks would cause them, to take them off its time."""

    def waits_ns(self) -> Waits | None:
        return {}, 0

    def wants_cpu(self) -> bool:
        return False


class LiveEngine:
    """One running engine: its process, its session, and the variant that it was last set to."""

    def __init__(
        self,
        spec: EngineSpec,
        spawned: Callable[[EngineProcess], None] = lambda process: None,
        trace_label: str = "introduction",
    ) -> None:
        """Start the engine, shake hands, set its options. After CannotStart or EngineFault nothing is left running.

        An EngineFault carries the engine's last words. `trace_label` is part of the name of the trace file, which every
        worker has of its own. Raises OSError where a trace cannot be written.
        """
        self.spec = spec
        file = f"{re.sub(r'[^A-Za-z0-9._@+-]', '_', spec.name)}.{trace_label}.txt"  # `alphabeta.worker-0.txt`
        self.trace: Trace | None = None
        self.process = EngineProcess.spawn(Command(spec.command, spec.sandbox))
        spawned(self.process)
        self.session = Session(self.process, spec.deadlines)
        self._rules: Rules | None = None
        """Those of its last game, as the object that they were: most games of a run have the same one."""
        self._variant = ""
        """Their name."""
        self._knows_start = True
        """Whether the engine knows the start position of these rules by itself."""
        self._meter = (RelayMeter if spec.remote else CpuMeter)(self.process.box)
        try:
            if spec.trace:
                self.trace = Trace(Path(spec.trace, file), spec.name)
                self.session.observe(self.trace.note)
            self.identity: Identity = self.session.handshake()
            for name, value in spec.options.items():
                self.session.set_option(name, value)
        except EngineFault as broken:
            broken.last_words = self.end()
            raise
        except BaseException:
            self.kill()
            raise

    def begin(self, rules: Rules, seed: int, terms: Terms) -> Seat:
        """Set the engine up for its next game. Raises EngineFault."""
        self.announce(rules, seed)
        return self.seat(terms)

    def announce(self, rules: Rules, seed: int, side: str = "", limit: Limit | None = None) -> None:
        """Tell the engine of its next game, and do not wait for it: `seat` must follow. Raises EngineFault.

        `side` and `limit` are those that it will have, where they are known.
        """
        options = [("Seed", str(seed))]
        if side:
            options.append(("UGI_Side", side))
        if limit is not None and limit.kind == "movetime":
            options.append(("UGI_MoveTime", str(limit.value)))
        if rules is not self._rules:
            variant = wire_variant(self.identity, rules)
            if rules.name != self._variant:
                changed = rules.changed_options or "<empty>"
                options = [("UGI_Variant", variant or rules.base), ("UGI_Rules", changed), *options]
            self._rules, self._variant, self._knows_start = rules, rules.name, variant in (None, rules.base)
        self.session.announce_game(options)

    def seat(self, terms: Terms) -> Seat:
        """Wait until the engine is ready for the game that was announced. Raises EngineFault."""
        self.session.await_game()
        watch = Stopwatch(self._meter, own_wait_ns, cpus())
        remark = None if self.trace is None else self.trace.remark
        group = self.process.box.group
        if not terms.freeze or group is None:
            return Seat(self.session, watch, remark=remark, knows_start=self._knows_start)
        return Seat(self.session, watch, group.freeze, group.thaw, remark, self._knows_start)

    def quit(self) -> Exit:
        """End it as the protocol says: `quit`, then a deadline."""
        self._meter.close()
        return self._ended(self.session.quit())

    def kill(self) -> Exit:
        self._meter.close()
        return self._ended(self.process.kill())

    def end(self) -> LastWords:
        """Kill it after a fault of its own. Returns what it left behind."""
        gone = self.process.wait(time.monotonic_ns() + DEATH_MS * 1_000_000)
        end = self.kill()
        transcript = self.session.transcript_tail(self.spec.name)[-KEPT_LINES:]
        stderr = self.process.stderr_tail()[-STDERR_BYTES:].decode("utf-8", "backslashreplace").replace("\0", "\\0")
        how = end.text if gone else "still running, ended by the referee"
        return LastWords(tuple(line[:LINE_COLUMNS] for line in transcript), stderr, how)

    def _ended(self, how: Exit) -> Exit:
        if self.trace is not None:
            self.trace.remark(f"{self.spec.name}: {how.text}")
            self.trace.close()
            self.trace = None
        return how


def evidence(side: int, broken: EngineFault, last_words: LastWords | None) -> Evidence:
    """What is stored of a fault of one side, 0 for p1."""
    last_words = last_words or LastWords((), "", "never started")
    times = broken.times
    return Evidence(
        side=SIDES[side],
        fault=broken.fault.value,
        detail=broken.detail,
        exit=last_words.exit,
        transcript=last_words.transcript,
        stderr=last_words.stderr,
        allowed_us=None if times is None else times.allowed_ns // 1000,
        wall_us=None if times is None else times.wall_ns // 1000,
        cpu_us=None if times is None or times.cpu_ns is None else times.cpu_ns // 1000,
        late_us=None if times is None or times.late_ns is None else times.late_ns // 1000,
        machine=times is not None and times.machine,
    )


def wire_variant(identity: Identity, rules: Rules) -> str | None:
    """The value of UGI_Variant for these rules; None where the engine announced variants but not this one."""
    announced = identity.options.get("ugi_variant")
    return rules.base if announced is None else announced_as(rules, announced.choices)


class EnginePool:
    """The engines of one worker, by name."""

    def __init__(self, specs: Mapping[str, EngineSpec], trace_label: str = "worker") -> None:
        self._specs = specs
        self._trace_label = trace_label
        self._live: OrderedDict[str, LiveEngine] = OrderedDict()
        self._starting: EngineProcess | None = None
        """The process of an engine that is not in `_live` yet."""
        self._stopped = False

    def stop(self) -> None:
        """Kill all engines and start none any more. For the handler of a signal: `kill` comes afterwards."""
        self._stopped = True
        for process in [live.process for live in list(self._live.values())] + [self._starting]:
            if process is not None:
                process.send_sigkill()

    def get(self, name: str) -> LiveEngine:
        """The engine's live process, started if it is not running. Raises CannotStart, EngineFault."""
        if name not in self._live and not self._take_met(name, self._specs[name]):
            self._live[name] = self._start(self._specs[name])
        self._live.move_to_end(name)
        return self._live[name]

    def meet(self, spec: EngineSpec, spawned: Callable[[EngineProcess], None]) -> LiveEngine:
        """Start the engine before its run begins. It is kept under its `start_key`, for its name may change.

        `spawned` is told of its process before the handshake. Raises CannotStart, EngineFault.
        """
        live = self._live[spec.start_key] = self._start(spec, spawned)
        return live

    def _take_met(self, name: str, spec: EngineSpec) -> bool:
        """Use the process that was met, if there is one. A trace has the engine's name in that of its file."""
        if spec.start_key not in self._live:
            return False
        if spec.trace and self._live[spec.start_key].spec.name != name:
            self._end(spec.start_key, LiveEngine.quit)
            return False
        live = self._live[name] = self._live[spec.start_key]
        del self._live[spec.start_key]
        live.spec = spec
        return True

    def _start(self, spec: EngineSpec, spawned: Callable[[EngineProcess], None] = lambda process: None) -> LiveEngine:
        if self._stopped:
            raise CannotStart("this run is being stopped")

        def started(process: EngineProcess) -> None:
            self._starting = process
            if self._stopped:  # the signal came before anybody knew of this process
                process.send_sigkill()
            spawned(process)

        try:
            return LiveEngine(spec, started, self._trace_label)
        finally:
            self._starting = None

    def is_remote(self, name: str) -> bool:
        """Whether the engine is at home with its author."""
        return self._specs[name].remote

    def trim(self) -> None:
        """Between games: write traces, quit engines that restart for each game, and those beyond KEPT."""
        for live in self._live.values():
            if live.trace is not None:
                live.trace.flush()
        for name in [name for name, live in self._live.items() if live.spec.restart]:
            self._end(name, LiveEngine.quit)
        while len(self._live) > KEPT:
            self._end(next(iter(self._live)), LiveEngine.quit)

    def drop(self, name: str) -> LastWords | None:
        """Kill the engine's process, if there is one. Returns what it left. Its next game gets a fresh process."""
        return self._end(name, LiveEngine.end) if name in self._live else None

    def drop_others(self, names: Iterable[str]) -> None:
        """Kill the engines that are kept for other games."""
        for name in self._live.keys() - set(names):
            self._end(name, LiveEngine.kill)

    def quit(self) -> None:
        for name in list(self._live):
            self._end(name, LiveEngine.quit)

    def kill(self) -> None:
        for live in self._live.values():  # all before the first wait: a killed arena has 2 s
            live.process.send_sigkill()
        for name in list(self._live):
            self._end(name, LiveEngine.kill)

    def _end(self, name: str, how: Callable[[LiveEngine], End]) -> End:
        """End it, then forget it: a stop that comes between the two must still find it here."""
        end = how(self._live[name])
        del self._live[name]
        return end
