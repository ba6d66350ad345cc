"""The table of demands is held to SPEC.md and to the checks."""

import re

from arena.conformance import clauses
from arena.conformance.catalogue import CHECKS
from arena.conformance.check import Severity
from tests.arena.conformance import demands
from tests.arena.conformance.demands import DEMANDS

FORCE = re.compile(r"\b(?:MUST|SHOULD)\b")
RULES = [f"A.{number}" for number in (*range(2, 16), *range(17, 21))]


def test_every_must_and_should_of_a_clause_is_in_one_row() -> None:
    """No demand is forgotten, none is told twice, and a clause that changes has its rows looked at. E is about them."""
    for number in sorted(number for number in clauses.numbered() if number[0] != "E"):
        text = " ".join(clauses.numbered()[number].split())
        places: list[int] = []
        for row in (row for row in DEMANDS if row.clause == number):
            assert text.count(row.words) == 1, row
            at = text.index(row.words)
            found = [at + each.start() for each in FORCE.finditer(row.words)]
            assert len(found) == (row.force != "rule"), row
            places += found
        assert sorted(places) == [each.start() for each in FORCE.finditer(text)], number


def test_every_must_and_every_rule_has_a_check() -> None:
    """Only a SHOULD may do without one, and then the reason is told."""
    ids = {check.id for check in CHECKS}
    for row in DEMANDS:
        assert set(row.checks) <= ids, row
        assert bool(row.checks) != bool(row.why_not), row
        assert row.checks or row.force == "SHOULD", row
    assert set(RULES) <= {row.clause for row in DEMANDS}


def test_a_check_is_as_severe_as_what_it_tests() -> None:
    """A broken MUST fails and a broken SHOULD warns. What no clause demands is a note."""
    for check in CHECKS:
        rows = demands.of_check(check.id)
        if check.severity is Severity.NOTE:
            assert not rows or {row.force for row in rows} == {"SHOULD"}, check.id
            continue
        assert check.clause in {row.clause for row in rows}, check.id
        must = any(row.force != "SHOULD" for row in rows)
        assert must == (check.severity in (Severity.FATAL, Severity.MAJOR)), check.id


def test_the_specification_says_its_version() -> None:
    """A report can name it, and the list of changes has it."""
    assert clauses.version() == "1.3"
    assert f"version {clauses.version()} has these changes" in " ".join(clauses.numbered()["E.5"].split())
