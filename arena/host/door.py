"""The door: what a guest's engine must show before its first game. Runs in a process of its own, one for each check.

An engine is introduced and asked the smoke checks over its line, so a guest that answers late or never holds up nobody.
The process reads a pickled `DoorOrder` from stdin and writes a pickled `DoorResult` to stdout; both ends are ours.
"""

import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from arena.host.accounts import file_beside
from arena.play.jobs import EngineSpec
from arena.run.schedule import Start
from arena.timing.time_control import Limit
from protocol.session import Identity
from results.record import CheckReport
from results.store.store import Store

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
    report: CheckReport | None = None
    """The certificate of the build, by the guest's name and its digest; None where nothing was checked."""


def reports_beside(db: Path) -> Path:
    """The database with the certificates of a ladder's guests. It is not among the ladder's pages: each is private."""
    return file_beside(db, "door.db")


def keep(path: Path, report: CheckReport) -> None:
    """Keep a certificate where it survives the ladder's end. Raises StoreError."""
    with Store.create_or_open(path) as store:
        store.add_check_report(report)


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
    date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
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
    findings = [_for_author(finding, variant) for finding in fitness.findings]
    broken = tuple(
        f"{finding.id} (clause {finding.clause}): {finding.title}: {finding.evidence.seen if finding.evidence else ''}"
        for finding in findings
        if finding.verdict in ("fail", "error")
    )
    report = _report(spec, identity, date, variant, findings) if findings else None
    if reason or fitness.unfit:
        return DoorResult(None, "; ".join(broken) or reason or "the checks at the door took too long", broken, report)
    return DoorResult(identity, "", broken, report)


def _for_author(finding: "Finding", variant: str) -> "Finding":
    """The finding as the engine's author may see it: with the command for it there, without what is the host's own."""
    from arena.conformance.check import CheckVerdict

    if finding.id == STARTS_ANYWHERE:
        at_home = "the engine starts on its author's machine"
        return replace(finding, verdict=CheckVerdict.SKIPPED, measured=at_home, evidence=None)
    if finding.evidence is None:
        return finding
    repeat = f"arena check COMMAND --only {finding.id} --variant {variant}"
    seen = finding.evidence.seen
    if finding.verdict is CheckVerdict.ERROR:
        print(f"{finding.id} failed by a mistake of its own:\n{seen}", file=sys.stderr)
        seen = "the check failed by a mistake of its own; the host has noted it"
    return replace(finding, evidence=replace(finding.evidence, seen=seen, repeat=repeat))


def _report(
    spec: EngineSpec, identity: Identity, date: str, variant: str, findings: Sequence["Finding"]
) -> CheckReport:
    from arena import version
    from arena.conformance.certificate import certificate
    from arena.conformance.certificate.identity import CheckMachine, ProgramFile, specification, suite

    digest = spec.command[-2]
    says = {"name": identity.name, "author": identity.author, "version": identity.version}
    made = certificate.Certificate(
        engine=spec.name,
        introduction={key: text for key, text in says.items() if text},
        files=(ProgramFile(spec.name, digest),),
        specification=specification(),
        suite=suite(version.number()),
        date=date,
        machine=CheckMachine("", "", 0, ""),  # the engine runs elsewhere
        settings={"level": "smoke", "concurrency": AT_ONCE},
        variants=(variant,),
        findings=tuple(findings),
    )
    return CheckReport(**certificate.as_row(made))


if __name__ == "__main__":
    from arena.host import door

    door.main()  # so that the classes are those of the other end
