"""Starts engines before a run to learn their identity, or why they cannot play.

An engine may not start because of another Python, a hidden package, another folder than its own, or its containment.
What hints at that are its command, the files beside it and what it wrote on stderr.
"""

import itertools
import os
import re
import shlex
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer

from arena.games.rules import Rules
from arena.play.engine_pool import SIDE_BY_SIDE, EnginePool, LiveEngine
from arena.play.jobs import EngineSpec
from arena.timing.time_control import Limit
from protocol.containment import refusals
from protocol.faults import CannotStart, EngineFault, Fault, LastWords
from protocol.process import Command, EngineProcess
from protocol.session import Identity
from protocol.transport import TransportClosed, TransportFlooded, TransportTimeout
from results.safe_text import last_words

_SILENT_S = 0.5
"""Without an answer to `ugi` for so long, an engine is asked whether it speaks UCI."""
_ANSWER_MS = 1_000
SPEAKS_UCI = "answers `uci` and not `ugi`: did you mean `--adapter uci`?"

PACKAGES = ("arena", "protocol", "engines", "results")
"""The packages of the arena, which an engine in Python may import."""
_OURS = Path(__file__).resolve().parents[2]
_LACKING = re.compile(rf"No module named '({'|'.join(PACKAGES)})[.']")
_MISSING = re.compile(r"no such file or directory|FileNotFound|NoSuchFile|ENOENT", re.IGNORECASE)
_DENIED = re.compile(r"permission denied|AccessDenied|EACCES", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w.~-])/[^\s'\":,;()]+")
ELSEWHERE = (
    "an engine starts in a scratch folder, not in yours: let it open files beside its program, "
    "or name the folder as its `directory` in a tournament file or a registry file"
)
CONTAINED = (
    "an engine may read its own folder and write to its scratch folder: "
    "`--read PATH` or the key `reads` lets it read more, `--contain none` everything"
)
NO_NETWORK = "a contained engine has no network: `--contain none` starts it without containment"
OTHER_HOME = "a contained engine has an empty scratch folder as HOME: name files and interpreters by their whole paths"

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
        """Whether the engine, which broke off, answered `uci`."""
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
    more = ""
    if missed:
        uci = missed[1] == "start_ms" and "engines.adapters.uci" not in spec.command
        remedy = "Another protocol: --adapter uci; more time" if uci else "More time"
        point = "" if broken.detail.endswith("?") else "."
        more = f"{point} {remedy}: --{missed[1].replace('_', '-')} or the key limits.{missed[1]}"
    stderr = end.stderr if end is not None else ""
    if words := last_words(stderr):
        more += f"; its last words on stderr: {words}"
    if hint := start_hint(spec.command, stderr):
        more += f"; {hint}"
    reason = f"engine {spec.name!r} cannot be started: {broken.detail}{more}"
    if one_sided:
        return reason
    return f"{reason}; `arena check {shlex.quote(shlex.join(spec.command))} --level smoke` shows what was said"


def start_hint(command: Sequence[str], stderr: str) -> str:
    """One clause that says what to do; empty where nothing is known."""
    for word in command:
        if hidden := _hidden_beside(word, stderr):
            return hidden
        if _ends_as_windows(word):
            return f"the first line of {os.path.basename(word)} ends as Windows ends lines: save it with Unix line ends"
    if missing := _LACKING.search(stderr):
        return (
            f"this Python does not have the arena's package {missing[1]!r}: "
            "write {python} instead of python3, which is the Python that runs the arena"
        )
    return _out_of_reach(command, stderr)


def _out_of_reach(command: Sequence[str], stderr: str) -> str:
    """What to do for a file that the engine names in its last words, and that it did not get."""
    last = last_words(stderr)
    refusal = refusals.find(stderr)
    if refusal is not None and refusal.what == refusals.THE_NETWORK:
        return NO_NETWORK
    if refusal is not None and refusal.in_home:
        return OTHER_HOME
    if _DENIED.search(last):
        return CONTAINED
    if _MISSING.search(last):
        # A file that is there for us, and not for the engine, is kept from it.
        there = any(os.path.exists(path) for path in _PATH.findall(last) if path not in command)
        return CONTAINED if there else ELSEWHERE
    module = re.search(r"No module named '?([\w.]+)", last)
    return ELSEWHERE if module is not None and ("-m", module[1]) in itertools.pairwise(command) else ""


def _hidden_beside(script: str, stderr: str) -> str:
    """A module or a package beside a script comes before an installed package of the same name."""
    if not script.endswith(".py") or not os.path.isfile(script):
        return ""
    for name in PACKAGES:
        path = os.path.join(os.path.dirname(script), name)
        file, package = f"{path}.py", os.path.join(path, "__init__.py")
        if not re.search(rf"\b{name}\b", stderr) or os.path.realpath(path) == str(_OURS / name):
            continue
        if os.path.isfile(file) or os.path.isfile(package):
            beside = f"{name}.py" if os.path.isfile(file) else f"the folder {name}"
            return f"{beside} beside {os.path.basename(script)} hides the arena's package {name!r}: rename it"
    return ""


def _ends_as_windows(script: str) -> bool:
    try:
        with open(script, "rb") as file:
            first = file.readline(256)
    except OSError:
        return False
    return first.startswith(b"#!") and first.endswith(b"\r\n")


NOBODY = Identity("", "", "", {})
