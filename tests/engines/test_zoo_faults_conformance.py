"""The faults that were made for the conformance checks, each with its check; tests/protocol/conformance shows them."""

import pytest

from engines.zoo.catalogue import FAULTS
from engines.zoo.conformance_matrix import FURTHER, ROWS
from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command, EngineProcess
from protocol.session import Session
from tests.engines.animal import ENVIRONMENT, ZOO

MADE_FOR = {
    "nameless": "A4",
    "authorless": "A5",
    "greets-once": "A8",
    "slow-greeting": "A9",
    "needs-isready": "A10",
    "needs-home": "A11",
    "keeps-moves": "B1",
    "deaf-to-crlf": "B2",
    "takes-chunks": "B3",
    "six-lines": "B4",
    "dies-of-blanks": "B5",
    "splits-at-blank": "B6",
    "dies-of-unknown": "B7",
    "dies-of-hidden": "B8",
    "fixed-buffer": "B9",
    "answers-tails": "B10",
    "logs": "B14",
    "option-without-type": "C1",
    "default-out-of-range": "C2",
    "option-twice": "C3",
    "dies-of-empty": "C4",
    "dies-of-maximum": "C5",
    "dies-of-bad-value": "C6",
    "cases-matter": "C7",
    "echoes-options": "C8",
    "first-variant-only": "C9",
    "ignores-rules": "C10",
    "options-at-start": "C11",
    "own-book": "C12",
    "small-seed": "C13",
    "one-ready-a-burst": "D1",
    "deaf-after-unsearched": "D2",
    "heartbeat": "D4",
    "answers-late": "D5",
    "wrong-at-start": "E1",
    "wrong-at-ply": "E2",
    "ignores-side": "E3",
    "ignores-moves-on-string": "E4",
    "dies-of-empty-moves": "E5",
    "keeps-board": "E6",
    "plays-twice": "E7",
    "no-way-back": "E8",
    "dies-of-malformed": "E9",
    "dies-without-king": "E10",
    "dies-of-illegal-moves": "E11",
    "short-history": "E12",
    "forgets-history": "E13",
    "passes-over-errors": "E14",
    "keeps-the-last-board": "E15",
    "turn-by-count": "F1",
    "sees-no-stalemate": "F2",
    "never-over": "F3",
    "misses-moves": "F4",
    "miscounts": "F5",
    "never-turns": "F6",
    "all-is-legal": "F7",
    "queries-change": "F8",
    "waits-for-known-query": "F9",
    "mixes-up-sides": "F10",
    "answers-no-p1turn": "F11",
    "ignores-depth": "G1",
    "ends-infinite": "G5",
    "loses-early-stop": "G6",
    "oversleeps": "G8",
    "dies-of-short-clocks": "G9",
    "constant-time": "G10",
    "other-clock": "G11",
    "fixed-order": "G12",
    "dies-of-bad-numbers": "G13",
    "overcounts": "G14",
    "depth-off-by-one": "G15",
    "silent-when-forced": "G16",
    "dies-of-wins": "G17",
    "avoids-repetition": "G18",
    "dies-of-bare-go": "G19",
    "dies-of-two-goes": "G20",
    "dies-of-early-position": "G21",
    "dies-when-finished": "G22",
    "spends-period": "G26",
    "least-time": "G27",
    "slows-down": "G28",
    "fractional-info": "H1",
    "bare-score": "H2",
    "always-mates": "H3",
    "scores-for-p1": "H4",
    "illegal-tail": "H5",
    "older-line": "H6",
    "tells-no-nodes": "H7",
    "time-since-start": "H8",
    "floods-info": "H9",
    "multipv-from-zero": "H11",
    "resigns-unasked": "I1",
    "resigns-early": "I2",
    "offers-when-idle": "I3",
    "answers-gameover": "I4",
    "resigns-anyway": "I5",
    "keeps-generator": "J2",
    "one-side": "J4",
    "locks": "J5",
    "leaks": "J6",
    "slow-new-game": "J7",
    "finishes-first": "K2",
    "talks-to-nobody": "K4",
}


def test_each_of_these_faults_breaks_the_check_that_it_was_made_for() -> None:
    """The matrix of docs/authors/CHECKS.md has them in these places, and there are no others of their kind."""
    rows = {row.fault.split()[0]: row.check for row in ROWS}
    assert {name: rows[name] for name in MADE_FOR} == MADE_FOR
    assert {name for name, fault in FAULTS.items() if ".conformance_" in fault.__module__} == {*MADE_FOR, *FURTHER}


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in MADE_FOR if name not in ("needs-home", "locks")])
def test_each_of_these_faults_greets_and_gets_ready(name: str) -> None:
    """They are broken in one place, so that a referee gets as far as a game with every one of them."""
    command = Command((*ZOO, "--fault", name), SandboxPolicy(Level.NONE, environment=ENVIRONMENT))
    with EngineProcess.spawn(command) as process:
        session = Session(process)
        assert session.handshake().announced("UGI_Variant")
        session.new_game()
