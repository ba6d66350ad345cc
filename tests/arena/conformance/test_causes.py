"""The failures of a run are grouped by cause: the report names what to mend first, and fits on a screen."""

from arena.conformance import report
from arena.conformance.catalogue import CHECKS
from arena.conformance.certificate.causes import by_cause, rests_on
from arena.conformance.check import Check, CheckEvidence, CheckVerdict, Finding, Severity
from arena.conformance.violation import FLUSHING, LEGALITY, MOVES, READY, SPELLING
from tests.arena.conformance.test_certificate import certificate

KNOWN = {check.id: check for check in CHECKS}
TEXT = "what was seen " * 30


def failed(check: Check, matter: str = "", variant: str | None = None) -> Finding:
    evidence = CheckEvidence(TEXT, ("a line",) * 8, ("a line",) * 8, TEXT, TEXT, "arena check ./it", ("a word",) * 20)
    grave = check.severity in (Severity.FATAL, Severity.MAJOR)
    verdict = CheckVerdict.FAIL if grave else CheckVerdict.WARNING
    return Finding(
        check.id, check.clause, check.severity, check.title, variant, verdict, evidence=evidence, matter=matter
    )


def causes(**seen: str) -> list[tuple[str, int]]:
    """The id of each first failure, and how many follow."""
    return [(each.first.id, len(each.others)) for each in by_cause([failed(KNOWN[id_], s) for id_, s in seen.items()])]


OWN, ILLEGAL, NO_MOVE, DEAF = "", LEGALITY, MOVES, READY


def test_the_first_failure_is_the_cause_of_the_others() -> None:
    """What makes rules seem wrong comes before the rules, and these before what follows from them."""
    for seen, expected in (
        ({"B3": ILLEGAL, "B9": ILLEGAL, "E2": ILLEGAL, "F6": OWN, "F10": OWN, "H5": OWN}, [("F10", 5)]),
        ({"B3": OWN, "F10": OWN, "E2": ILLEGAL}, [("B3", 2)]),
        ({"E4": OWN, "F10": OWN, "F6": OWN}, [("E4", 2)]),
        ({"E4": ILLEGAL, "F10": OWN, "F6": OWN}, [("F10", 2)]),
        ({"F10": "C10", "C10": OWN}, [("C10", 1)]),
        ({"F10": OWN, "C10": OWN}, [("F10", 1)]),
        ({"F10": OWN, "F6": OWN, "B9": OWN}, [("B9", 2)]),
        ({"F10": OWN, "F6": OWN, "B9": ILLEGAL}, [("F10", 2)]),
        ({"C9": OWN, "C7": OWN, "E1": ILLEGAL}, [("C9", 1), ("C7", 0)]),
        ({"E1": NO_MOVE, "G1": OWN, "B1": NO_MOVE, "A11": NO_MOVE, "K2": OWN}, [("G1", 4)]),
        ({"E1": FLUSHING, "G1": FLUSHING, "B1": OWN}, [("B1", 2)]),
        ({"D1": OWN, "E1": DEAF, "B2": DEAF}, [("D1", 2)]),
        ({"B9": DEAF, "E12": DEAF}, [("B9", 1)]),
        ({"A1": OWN, "A3": OWN}, [("A1", 1)]),
        ({"D3": DEAF, "G4": NO_MOVE, "K2": OWN, "G5": NO_MOVE}, [("D3", 3)]),
        ({"G3": OWN, "D3": OWN, "G4": OWN, "G7": OWN}, [("G3", 3)]),
        ({"G4": NO_MOVE, "G6": NO_MOVE, "K9": OWN}, [("G4", 1), ("K9", 0)]),
        ({"B14": OWN, "K9": OWN}, [("K9", 0), ("B14", 0)]),
        ({"G23": OWN, "E1": SPELLING, "E2": SPELLING}, [("G23", 2)]),
        ({"C9": OWN, "G23": OWN, "E1": SPELLING, "F10": OWN}, [("C9", 3)]),
        ({"E9": OWN, "F10": OWN}, [("E9", 0), ("F10", 0)]),
        ({"H5": OWN, "H6": OWN}, [("H6", 1)]),
        ({"G26": OWN, "G27": OWN, "G28": OWN}, [("G27", 2)]),
    ):
        assert causes(**seen) == expected


def test_a_report_has_at_most_25_lines_whatever_failed() -> None:
    """Also where every check fails in every variant, on a narrow terminal, with long evidence."""
    for width in (None, 80):
        variants = ("scottish", "brandub", "callanish-7")
        every = [failed(check, variant=variant) for check in CHECKS for variant in variants]
        for findings in (every, every[:18], every[:1], []):
            rows = [*report.brief(findings, width), *report.closing(certificate(tuple(findings)))]
            assert sum(row.height(width) for row in rows) <= 25
            assert bool(findings) == any(row.text.startswith("Begin with ") for row in rows[-6:])


def test_what_a_check_needs_exists_and_never_needs_the_check_in_turn() -> None:
    """Otherwise no cause would come first."""
    for check in CHECKS:
        assert set(check.needs) <= set(KNOWN), check.id
        assert check.id not in rests_on(check.id)


def test_what_to_begin_with_names_the_check_its_clause_and_what_follows() -> None:
    """`Begin with F10 (A.1): ... (2 others follow from it)`; the evidence stands above, other causes below it."""
    findings = [failed(KNOWN["B3"], ILLEGAL), failed(KNOWN["F10"]), failed(KNOWN["E2"], ILLEGAL), failed(KNOWN["K9"])]
    findings += [failed(KNOWN["F10"], variant="brandub")]
    findings += [Finding("A1", "3.1", Severity.FATAL, "it starts", None, CheckVerdict.PASS)] * 20
    texts = [row.text for row in (*report.brief(findings, None), *report.closing(certificate(tuple(findings))))]
    assert texts[0].startswith("F10 M  A.1   FAIL ") and texts[1:3] == ["     also in  brandub", "      follow  E2, B3"]
    assert any(text.startswith("K9  m  2.1   warning ") for text in texts)
    assert texts[-1].startswith("Begin with F10 (A.1): what was seen ")
    assert texts[-1].endswith("... (2 others follow from it)")
    assert not any("pass" in text and "A1" in text for text in texts)
