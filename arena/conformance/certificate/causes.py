"""Groups the failures of a run by cause: what to correct first, and which failures follow from it.

What rests on what is said by the checks themselves: by what each of them needs, and by whose matter its violation is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from arena.conformance.catalogue import BY_ID
from arena.conformance.check import CheckVerdict, Finding, Severity

_LONGEST_SEEN = 180


@dataclass(frozen=True, slots=True)
class Cause:
    """A failure to correct, and the failures that are likely to go with it."""

    first: Finding
    others: tuple[Finding, ...] = ()

    @property
    def following(self) -> tuple[Finding, ...]:
        """The failures of other checks."""
        return tuple(one for one in self.others if one.id != self.first.id)

    @property
    def sentence(self) -> str:
        """Where to begin: the check, its clause, what was seen, and how much follows."""
        one, seen = self.first, self.first.title
        if one.evidence is not None and one.evidence.seen.strip():
            seen = one.evidence.seen.strip().splitlines()[-1]
        if len(seen) > _LONGEST_SEEN:
            seen = f"{seen[: _LONGEST_SEEN - 4].rpartition(' ')[0]} ..."
        count = len(self.following)
        follow = "" if not count else f" ({count} other{'s' * (count != 1)} follow{'s' * (count == 1)} from it)"
        return f"Begin with {one.id} ({one.clause}): {seen}{follow}"


@cache
def rests_on(check: str) -> frozenset[str]:
    """All checks that a check needs, directly or not."""
    needs = BY_ID[check].needs
    return frozenset(needs).union(*(rests_on(each) for each in needs))


def by_cause(findings: Sequence[Finding]) -> list[Cause]:
    """All findings that are neither passed nor skipped, by cause; the first cause is the one to begin with."""
    broken = sorted((one for one in findings if one.broken), key=_order)
    by_id: dict[str, Finding] = {}
    for one in broken:
        by_id.setdefault(one.id, one)
    # A failure is the matter of another check only if that one, or what it rests on, failed too.
    own = {
        one.id for one in by_id.values() if not one.matter or not (by_id.keys() - {one.id}) & _with_needs(one.matter)
    }
    groups: dict[str, list[Finding]] = {}
    for one in broken:
        groups.setdefault(_cause(one, by_id, own), []).append(one)
    causes = [_with_first(group, by_id.get(cause)) for cause, group in groups.items()]
    return sorted(causes, key=lambda cause: (_gravity(cause.first), -len(cause.others), _PLACES[cause.first.id]))


def _with_first(group: list[Finding], cause: Finding | None) -> Cause:
    first = cause if cause in group else group[0]
    assert first is not None
    return Cause(first, tuple(one for one in group if one is not first))


def _cause(finding: Finding, by_id: dict[str, Finding], own: set[str]) -> str:
    """The check with which to begin for the sake of this finding: its own id, if it rests on none that failed."""
    below = rests_on(finding.id) | (_with_needs(finding.matter) if finding.matter else set())
    failed = {each for each in own & below if _gravity(by_id[each]) <= _gravity(finding)} - {finding.id}
    if failed:
        return min((each for each in failed if not failed & rests_on(each)), key=lambda each: _order(by_id[each]))
    return finding.id if finding.id in own else finding.matter


def _with_needs(check: str) -> frozenset[str]:
    return rests_on(check) | {check}


def _gravity(finding: Finding) -> int:
    grave = (CheckVerdict.ERROR, CheckVerdict.FAIL, CheckVerdict.WARNING).index(finding.verdict)
    return max(1, grave) + (finding.severity is Severity.NOTE)


def _order(finding: Finding) -> tuple[int, bool, int, int]:
    """Failures before warnings, and these before notes; then the order in which the checks rest on each other."""
    return _gravity(finding), finding.severity is not Severity.FATAL, len(rests_on(finding.id)), _PLACES[finding.id]


_PLACES = {id_: place for place, id_ in enumerate(BY_ID)}
