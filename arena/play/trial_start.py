"""Starts engines before a run to learn their identity, or why they cannot play."""

import re
import shlex
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from arena.games.rules import Rules
from arena.play.engine_pool import SIDE_BY_SIDE, LiveEngine
from arena.play.jobs import EngineSpec
from arena.play.start_hint import start_hint
from arena.timing.time_control import Limit
from protocol.faults import CannotStart, EngineFault, Fault, LastWords
from protocol.process import EngineProcess
from protocol.session import Identity
from results.safe_text import last_words

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
    try:
        live = LiveEngine(spec, spawned=started.append)
    except (CannotStart, EngineFault) as refused:
        return NOBODY, refusal(spec, refused)
    try:
        live.session.ready()
        if rules is not None:
            _get_ready_for_each_side(live, rules)
    except EngineFault as broken:
        return NOBODY, _unfit(spec, broken, live.end(), live.identity.announced("UGI_Side"))
    live.quit()
    return live.identity, ""


def _get_ready_for_each_side(live: LiveEngine, rules: Rules) -> None:
    if not live.identity.announced("UGI_Side"):
        return
    time = live.identity.options.get("ugi_movetime")
    limit = None if time is None or time.default is None else Limit("movetime", int(time.default))
    for side in ("p1", "p2"):
        live.announce(rules, 1, side, limit)
        live.session.await_game()


def refusal(spec: EngineSpec, refused: CannotStart | EngineFault) -> str:
    """The sentence about an engine that did not start, or that broke the protocol before it was ready."""
    if isinstance(refused, EngineFault):
        return _unfit(spec, refused, refused.last_words)
    return f"engine {spec.name!r} cannot be started: {refused}"


def _unfit(spec: EngineSpec, broken: EngineFault, end: LastWords | None, one_sided: bool = False) -> str:
    """The sentence about an engine that started and broke the protocol. The checks are not for a `one_sided` one."""
    missed = re.search(r"\(limits\.(\w+)\)", broken.detail) if broken.fault is Fault.STALL else None
    more = f"; --{missed[1].replace('_', '-')} or the key limits.{missed[1]} allows it more" if missed else ""
    hint = start_hint(spec.command, end.stderr if end is not None else "")
    reason = f"engine {spec.name!r} cannot be started: {broken.detail}{more}{_last_words(end)}{hint and f'; {hint}'}"
    if one_sided:
        return reason
    return f"{reason}; `arena check {shlex.quote(shlex.join(spec.command))} --level smoke` shows what was said"


def _last_words(end: LastWords | None) -> str:
    words = last_words(end.stderr) if end is not None else ""
    return f"; its last words on stderr: {words}" if words else ""


NOBODY = Identity("", "", "", {})
