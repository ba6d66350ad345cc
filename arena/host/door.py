"""The door: what a guest's engine must show before its first game. Runs in a process of its own, one for each check.

An engine is introduced and asked the smoke checks over its line, so a guest that answers late or never holds up nobody.
"""

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import multiprocess

from arena.openings.books import Start
from arena.play.jobs import EngineSpec
from arena.run.slots import started
from arena.timing.time_control import Limit
from protocol.session import Identity

if TYPE_CHECKING:
    from arena.conformance.check import Finding

LONGEST_S = 150.0
"""A check ends after this. The smoke checks have a limit of their own, which is shorter."""
AT_ONCE = 2
"""The most checks of one engine that run at once: each has a session of its own with the guest."""
STARTS_ANYWHERE = "A11"
"""The smoke check of how an engine is started. Over a line it would tell of the relay."""


@dataclass(frozen=True, slots=True)
class DoorResult:
    """What came of it. With a `refusal` the guest does not play; `remarks` are for its author."""

    identity: Identity | None
    refusal: str = ""
    remarks: tuple[str, ...] = ()


def checked(spec: EngineSpec, starts: Sequence[Start], limits: Sequence[Limit]) -> DoorResult:
    """Check in another process the relay of a guest that passes every line as it is, for what will be played.

    Never raises for what the guest does. A mistake of ours raises EOFError; its traceback goes to stderr.
    """
    ours, theirs = multiprocess.Pipe(duplex=False)
    process = started(_main, (theirs, spec, starts, limits), "door")
    with ours:
        try:
            if not ours.poll(LONGEST_S):
                return DoorResult(None, f"the checks at the door were not done after {LONGEST_S:.0f} s")
            result: DoorResult = ours.recv()
            return result
        finally:
            process.kill()
            process.join()


def _main(ladder: Any, spec: EngineSpec, starts: Sequence[Start], limits: Sequence[Limit]) -> None:
    # Ctrl-C is for the ladder. If that is killed, the lines end with the hub: the check comes to its end, and ends its
    # engines as always, which a signal would keep it from.
    os.setsid()
    with contextlib.suppress(OSError):  # the ladder is gone
        ladder.send(_check(spec, starts, limits))


def _check(spec: EngineSpec, starts: Sequence[Start], limits: Sequence[Limit]) -> DoorResult:
    from arena.conformance import smoke
    from arena.planning.introductions import limit_refusal, variant_refusal
    from arena.play.trial_start import introduce

    ((identity, reason),) = introduce([spec])
    reason = reason.partition("; `arena check")[0]  # that names our relay
    if not reason:
        unfit = variant_refusal(spec, identity, starts) or limit_refusal(spec, identity, limits)
        if unfit:
            return DoorResult(None, unfit)
        if identity.announced("UGI_Side"):
            return DoorResult(identity)  # the checks search for both sides
    variant = starts[0].variant
    fitness = smoke.check_engines([spec], variant, lambda sentence: None, AT_ONCE).get(spec.name, smoke.Fitness())
    wrong = [each for each in fitness.findings if each.verdict in ("fail", "error") and each.id != STARTS_ANYWHERE]
    broken = tuple(_for_author(finding, variant) for finding in wrong)
    if reason or fitness.unfit:
        return DoorResult(None, "; ".join(broken) or reason or "the checks at the door took too long", broken)
    return DoorResult(identity, "", broken)


def _for_author(finding: "Finding", variant: str) -> str:
    """What the engine's author reads of a finding: the command for it there, and nothing that is the host's own."""
    seen = finding.evidence.seen if finding.evidence else ""
    if finding.verdict == "error":
        print(f"{finding.id} failed by a mistake of its own:\n{seen}", file=sys.stderr)
        seen = "the check failed by a mistake of its own; the host has noted it"
    at_home = f"arena check COMMAND --only {finding.id} --variant {variant}"
    return f"{finding.id} (clause {finding.clause}): {finding.title}: {seen} (at home: {at_home})"
