"""Starts engines before a run to learn their identity, or why they cannot play."""

import re
import shlex
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Timer

from arena.games.rules import Rules
from arena.play.engine_pool import SIDE_BY_SIDE, EnginePool, LiveEngine
from arena.play.jobs import EngineSpec
from arena.play.start_hint import start_hint
from arena.timing.time_control import Limit
from protocol.faults import CannotStart, EngineFault, Fault, LastWords
from protocol.process import Command, EngineProcess
from protocol.session import Identity
from protocol.transport import TransportClosed, TransportFlooded, TransportTimeout
from results.safe_text import last_words

_SILENT_S = 0.5
"""Without an answer to `ugi` for so long, an engine is asked whether it speaks UCI."""
_ANSWER_MS = 1_000
SPEAKS_UCI = "answers `uci` and not `ugi`: did you mean `--adapter uci`?"

Introductions = list[tuple[Identity, str]]
"""What each engine says of itself, and the reason where it cannot be started."""


def introduce(specs: Sequence[EngineSpec], rules: Rules | None = None) -> Introductions:
    """Start each engine, shake hands, see that it gets ready and quit it. Several run at once; none is left running.

    With `rules`, an engine that must know its side before a game also gets ready for a game of each side: an adapter
    starts its program only then. Returns for each engine its identity and, if it cannot be started, the reason in one
    sentence.
    """
    started: list[EngineProcess] = []
    with ThreadPoolExecutor(max_workers=min(SIDE_BY_SIDE, len(specs))) as threads:
        waiting = [threads.submit(_introduce, spec, started, rules) for spec in specs]
        try:
            return [each.result() for each in waiting]
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            for process in started:
                process.send_sigkill()
            raise


def _introduce(spec: EngineSpec, started: list[EngineProcess], rules: Rules | None) -> tuple[Identity, str]:
    pool = EnginePool({}, "introduction")
    (introduction,) = meet([spec], pool, started, rules)
    pool.quit()
    return introduction


def meet(
    specs: Sequence[EngineSpec],
    pool: EnginePool,
    started: list[EngineProcess] | None = None,
    rules: Rules | None = None,
) -> Introductions:
    """As `introduce`, but one after the other, and those that can play stay in the pool.

    Each process is added to `started` at once.
    """
    introductions = []
    for spec in specs:
        live = _start(spec, [] if started is None else started, pool)
        if isinstance(live, str):
            introductions.append((NOBODY, live))
            continue
        try:
            live.session.ready()
            if rules is not None and live.identity.announced("UGI_Side"):
                move_time = live.identity.options.get("ugi_movetime")
                default = None if move_time is None else move_time.default
                limit = None if default is None else Limit("movetime", int(default))
                for side in ("p1", "p2"):
                    live.announce(rules, 1, side, limit)
                    live.session.await_game()
        except EngineFault as broken:
            one_sided = live.identity.announced("UGI_Side")
            introductions.append((NOBODY, _unfit(spec, broken, pool.drop(spec.start_key), one_sided)))
        else:
            introductions.append((live.identity, ""))
    pool.trim()
    return introductions


def _start(spec: EngineSpec, started: list[EngineProcess], pool: EnginePool) -> LiveEngine | str:
    """The engine after its handshake, or the sentence about it."""
    probe = _UciProbe(spec, started)
    try:
        return pool.meet(spec, probe.watch)
    except CannotStart as refused:
        return refusal(spec, refused)
    except EngineFault as refused:
        return f"engine {spec.name!r} {SPEAKS_UCI}" if probe.answered() else refusal(spec, refused)
    finally:
        probe.cancel()


class _UciProbe:
    """Asks a second process of an engine that does not answer `ugi` whether it speaks UCI, and ends the first if so."""

    def __init__(self, spec: EngineSpec, started: list[EngineProcess]) -> None:
        self._spec, self._started = spec, started
        self._first: EngineProcess | None = None
        self._answer: bool | None = None
        self._timer = Timer(_SILENT_S, self._ask)

    def watch(self, first: EngineProcess) -> None:
        """Ask if this process stays silent."""
        self._first = first
        self._started.append(first)
        self._timer.start()

    def cancel(self) -> None:
        self._timer.cancel()
        if self._first is not None:
            self._timer.join()

    def answered(self) -> bool:
        """Did the engine, which broke off, answer `uci`?"""
        self.cancel()
        if self._answer is None:
            self._first = None
            self._ask()
        return bool(self._answer)

    def _ask(self) -> None:
        self._answer = False
        try:
            with EngineProcess.spawn(Command(self._spec.command, self._spec.sandbox)) as process:
                self._started.append(process)
                deadline_ns = time.monotonic_ns() + _ANSWER_MS * 1_000_000
                process.send(b"uci\n", deadline_ns)
                while process.receive(deadline_ns).strip() != b"uciok":
                    pass
        except (CannotStart, TransportTimeout, TransportClosed, TransportFlooded):
            return
        self._answer = True
        if self._first is not None:
            self._first.send_sigkill()


def refusal(spec: EngineSpec, refused: CannotStart | EngineFault) -> str:
    """The sentence about an engine that did not start, or that broke the protocol before it was ready."""
    if isinstance(refused, EngineFault):
        return _unfit(spec, refused, refused.last_words)
    return f"engine {spec.name!r} cannot be started: {refused}"


def _unfit(spec: EngineSpec, broken: EngineFault, end: LastWords | None, one_sided: bool = False) -> str:
    """The sentence about an engine that started and broke the protocol. The checks are not for a `one_sided` one."""
    missed = re.search(r"\(limits\.(\w+)\)", broken.detail) if broken.fault is Fault.STALL else None
    more = f"; --{missed[1].replace('_', '-')} or the key limits.{missed[1]} allows it more" if missed else ""
    stderr = end.stderr if end is not None else ""
    if words := last_words(stderr):
        more += f"; its last words on stderr: {words}"
    if hint := start_hint(spec.command, stderr):
        more += f"; {hint}"
    reason = f"engine {spec.name!r} cannot be started: {broken.detail}{more}"
    if one_sided:
        return reason
    return f"{reason}; `arena check {shlex.quote(shlex.join(spec.command))} --level smoke` shows what was said"


NOBODY = Identity("", "", "", {})
