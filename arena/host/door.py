"""The door: what a guest's engine must show before its first game. Runs in a process of its own, one for each check.

An engine is introduced and asked the smoke checks over its line, so a guest that answers late or never holds up nobody.
The process reads a pickled `DoorOrder` from stdin and writes a pickled `DoorResult` to stdout; both ends are ours.
"""

import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.planning.schedule import Start
from arena.play.jobs import EngineSpec
from arena.timing.time_control import Limit
from protocol.session import Identity

LONGEST_S = 150.0
"""A check ends after this. The smoke checks have a limit of their own, which is shorter."""
AT_ONCE = 2
"""So many checks of one engine run at once: each has a session of its own with the guest."""


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
    """Check a guest in another process. Never raises for what the guest does."""
    process = subprocess.Popen(
        [sys.executable, "-m", "arena.host.door"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        said, _ = process.communicate(pickle.dumps(order), LONGEST_S)
    except subprocess.TimeoutExpired:
        return DoorResult(None, f"the checks at the door were not done after {LONGEST_S:.0f} s")
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    if process.returncode:
        raise RuntimeError(f"the checks at the door ended with exit status {process.returncode}")
    result = pickle.loads(said)
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
    reason = reason or variant_refusal(spec, identity, order.starts) or limit_refusal(spec, identity, order.limit)
    if reason:
        return DoorResult(None, reason)
    if identity.announced("UGI_Side"):
        return DoorResult(identity)  # the checks search for both sides
    variant = order.starts[0].variant
    fitness = smoke.check_engines([spec], variant, lambda sentence: None, AT_ONCE).get(spec.name, smoke.Fitness())
    broken = tuple(
        f"{finding.id} (clause {finding.clause}): {finding.title}: {finding.evidence.seen if finding.evidence else ''}"
        for finding in fitness.broken
    )
    if fitness.unfit:
        return DoorResult(None, "; ".join(broken) or "the checks at the door took too long", broken)
    return DoorResult(identity, "", broken)


if __name__ == "__main__":
    from arena.host import door

    door.main()  # so that the classes are those of the other end
