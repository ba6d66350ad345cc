"""Groups the failures of a run by cause: what to mend first, and which failures follow from it.

Owns what rests on what. A failure has a symptom where many checks meet the same: an illegal move, an answer that does
not come, a crash. One without a symptom was seen by the check that is about it. Reads findings and starts no engine.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.conformance.catalogue import CHECKS
from arena.conformance.check import CheckVerdict, Finding, Severity
from arena.conformance.violation import Symptom

_START = ("A1", "A3")
"""If one of these checks fails, nothing can be asked."""
_PLAIN = "E1"
"""The plainest session there is: where it brings no move, every other check fails for the same reason."""
_BASIC = ("D1", "D2", "G1", "E1")
"""What the plainest session rests on, the simplest first."""
_ABOUT = {Symptom.UNFLUSHED: "B1", Symptom.FLOODED: "B15"}
"""The checks that are about a symptom."""
_SPELLING = ("G23", "G16", "G18")
_POSITIONS = ("C9", "B3", "B4", "B9", "E3", "E4", "E6", "E7", "E8", "E15")
"""Whoever fails one of these by itself has another position than the checker, so its rules seem wrong."""
_RULES = ("F10", "F6", "F4", "F2", "F5", "F7", "F1", "E13", "F3", "E1", "E2", "G2", "E3", "E4", "C10")
"""The checks of rules, those first that tell best which rule it is."""
_RANDOM, _OPTIONS, _LONG = "F10", "C10", "B9"
_ON_RULES = ("E14", "G16", "G17", "G18", "G22", "G24", "H3", "H4", "H5", "H6", "J4")
"""What an engine with a wrong rule may fail in its own way."""
_FOLLOWERS = {
    "D3": ("D4", "G4", "G5", "G6", "G7", "G20", "G21", "K2", "K3"),
    "G4": ("G5", "G6", "G7", "G20", "G21", "K2", "K3"),
    "G8": ("G9", "G10", "G11", "G26", "G27", "G28"),
    "G10": ("G26", "G27", "G28"),
    "B11": ("A6", "G23", "H11"),
    "C1": ("C2", "C4", "C5", "C6", "C7", "C9", "C11"),
    "C4": ("C5", "C6", "C7", "C11"),
    "B3": ("B4", "B9", "B10"),
    "J1": ("J2", "J4"),
    "K1": ("A10", "K2", "K3", "K6", "K8"),
}
"""What rests on a check, beside what shares its symptom."""
_AFTER = {"B9": "B10", "D2": "E12", "A10": "K1", "A6": "B11"}
"""Checks that demand more than their place in the catalogue says: each is looked at after the other one."""
_PLACES = {check.id: float(place) for place, check in enumerate(CHECKS)}
_PLACES |= {later: _PLACES[earlier] + 0.5 for later, earlier in _AFTER.items()}


@dataclass(frozen=True, slots=True)
class Cause:
    """A failure to mend, and the failures that are likely to go with it."""

    first: Finding
    others: tuple[Finding, ...] = ()

    @property
    def sentence(self) -> str:
        """Where to begin: the check, its clause, what was seen, and how much follows."""
        one, seen = self.first, self.first.title
        if one.evidence is not None and one.evidence.seen.strip():
            seen = one.evidence.seen.strip().splitlines()[-1]
        if len(seen) > _LONGEST_SEEN:
            seen = f"{seen[: _LONGEST_SEEN - 4].rpartition(' ')[0]} ..."
        count = len(self.others)
        follow = "" if not count else f" ({count} other{'s' * (count != 1)} follow{'s' * (count == 1)} from it)"
        return f"Begin with {one.id} ({one.clause}): {seen}{follow}"


_LONGEST_SEEN = 180


def by_cause(findings: Sequence[Finding]) -> list[Cause]:
    """All findings that are neither passed nor skipped, by cause; the first cause is the one to begin with."""
    broken = [one for one in findings if one.verdict not in (CheckVerdict.PASS, CheckVerdict.SKIPPED)]
    if not broken:
        return []
    if basic := _basic(broken):
        return [Cause(basic, tuple(one for one in broken if one is not basic))]
    causes: list[Cause] = []
    random = {one.symptom for one in findings if one.id == _RANDOM and one.verdict is not CheckVerdict.SKIPPED}
    random = {one.symptom for one in broken if one.id == _RANDOM} if random else {Symptom.NONE}
    # Where random positions are right, or wrong after many moves alone, the rules are right and the line is too long.
    tells_more = _OPTIONS if random == {Symptom.RULE_OPTIONS} else _LONG if random <= {Symptom.LONG} else ""
    left = sorted(broken, key=lambda one: _order(one, tells_more))
    while left:
        first = left[0]
        others = tuple(one for one in left[1:] if _follows(one, first))
        causes.append(Cause(first, others))
        left = [one for one in left[1:] if one not in others]
    return causes


def _basic(broken: Sequence[Finding]) -> Finding | None:
    """The failure without which no session gets as far as a move, None where one does."""
    if starts := [one for one in broken if one.id in _START and one.verdict is CheckVerdict.FAIL]:
        return starts[0]
    plain = next((one for one in broken if one.id == _PLAIN), None)
    if plain is None or plain.symptom in (Symptom.NONE, Symptom.ILLEGAL, Symptom.SPELLING):
        return None
    order = (_ABOUT[plain.symptom], *_BASIC) if plain.symptom in _ABOUT else _BASIC
    alike = [one for one in broken if one.id in order and one.symptom in (Symptom.NONE, plain.symptom)]
    return min(alike, key=lambda one: order.index(one.id))


def _order(finding: Finding, tells_more: str) -> tuple[int, int, float]:
    """Failures before warnings, and these before notes. What makes rules seem wrong comes before the rules, and these
    before all else.

    `tells_more` is a check that tells more of a wrong rule than random positions do, if there is one.
    """
    place = _PLACES[finding.id]
    own = finding.symptom is Symptom.NONE
    if finding.symptom is Symptom.SPELLING:
        tier, place = 0, float(_SPELLING.index(finding.id)) if finding.id in _SPELLING else place + len(_SPELLING)
    elif own and finding.id in _POSITIONS:
        tier = 1
    elif _is_of_rules(finding):
        tier, place = 2, float(_RULES.index(finding.id)) if finding.id in _RULES else place + len(_RULES)
        place = -1.0 if finding.id == tells_more else place
    else:
        tier = 3
    grave = (CheckVerdict.ERROR, CheckVerdict.FAIL, CheckVerdict.WARNING).index(finding.verdict)
    return grave + (finding.severity is Severity.NOTE), tier, place


def _is_of_rules(finding: Finding) -> bool:
    if finding.symptom is Symptom.NONE:
        return finding.id in _RULES and finding.id not in _POSITIONS
    return finding.symptom in (Symptom.ILLEGAL, Symptom.RULE_OPTIONS, Symptom.LONG)


def _follows(finding: Finding, first: Finding) -> bool:
    """Does the finding go with the first one, by its symptom or by what it rests on?"""
    if finding.id == first.id or finding.id in _FOLLOWERS.get(first.id, ()):
        return True
    if first.symptom is Symptom.NONE and first.id in _POSITIONS:
        return _is_of_rules(finding) or finding.id in (*_POSITIONS, *_ON_RULES)
    if _is_of_rules(first) or first.symptom is Symptom.SPELLING:
        return finding.symptom is Symptom.SPELLING is first.symptom or _is_of_rules(finding) or finding.id in _ON_RULES
    return first.symptom is not Symptom.NONE and finding.symptom is first.symptom
