"""The door: what a guest's engine must show before its first game. Runs in a process of its own, one for each check.

An engine is introduced and asked the smoke checks over its line, so a guest that answers late or never holds up nobody.
The process reads a pickled `DoorOrder` from stdin and writes a pickled `DoorResult` to stdout; both ends are ours.
"""

import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from arena.openings.book import Start
from arena.play.jobs import EngineSpec
from arena.timing.time_control import Limit
from protocol.session import Identity

if TYPE_CHECKING:
    from arena.conformance.check import Finding

LONGEST_S = 150.0
"""A check ends after this. The smoke checks have a limit of their own, which is shorter."""
AT_ONCE = 2
"""So many checks of one engine run at once: each has a session of its own with the guest."""
STARTS_ANYWHERE = "A11"
"""The smoke check of how an engine is started. Over a line it would tell of the relay."""


class DoorOrder(NamedTuple):
    """What is to be checked: the relay that passes every line as it is, and what will be played."""

    spec: EngineSpec
    starts: Sequence[Start]
    limit: Limit


@dataclass(frozen=True, slots=True)
class DoorResult:
    """What came of it. With a `refusal` the guest does not play; `remarks` are for its author."""

    identity: Identity | None
    refusal: str = ""
    remarks: tuple[str, ...] = ()


def checked(order: DoorOrder) -> DoorResult:
    """Check a guest in another process. Never raises for what the guest does.

    A mistake of ours raises CalledProcessError; its traceback goes to stderr.
    """
    command = [sys.executable, "-m", "arena.host.door"]
    try:
        done = subprocess.run(
            command,
            input=pickle.dumps(order),
            stdout=subprocess.PIPE,
            start_new_session=True,
            timeout=LONGEST_S,
            check=True,
        )
    except subprocess.TimeoutExpired:
        return DoorResult(None, f"the checks at the door were not done after {LONGEST_S:.0f} s")
    result = pickle.loads(done.stdout)
    assert isinstance(result, DoorResult)
    return result


def main() -> None:
    """What the process does."""
    order: DoorOrder = pickle.load(sys.stdin.buffer)
    sys.stdout.buffer.write(pickle.dumps(_check(order)))


def _check(order: DoorOrder) -> DoorResult:
    from arena.conformance import smoke
    from arena.planning.introductions import limit_refusal, variant_refusal
    from arena.play.trial_start import introduce

    spec = order.spec
    ((identity, reason),) = introduce([spec])
    reason = reason.partition("; `arena check")[0]  # that names our relay
    if not reason:
        unfit = variant_refusal(spec, identity, order.starts) or limit_refusal(spec, identity, order.limit)
        if unfit:
            return DoorResult(None, unfit)
        if identity.announced("UGI_Side"):
            return DoorResult(identity)  # the checks search for both sides
    variant = order.starts[0].variant
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


if __name__ == "__main__":
    from arena.host import door

    door.main()  # so that the classes are those of the other end
