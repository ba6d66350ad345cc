"""Proofs: the checker says yes to what a search has proven, and names the first wrong line of anything else."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from arena.games.variants import find
from arena.solving import proof as proofs
from arena.solving.proof import BadProof, Wrong
from arena.solving.search import Search

EDGE = "5/5/5/w4/5 p2 1"
Line = dict[str, Any]


@cache
def edge() -> tuple[str, ...]:
    """The proof that p2 wins callanish-5 after a first placement on a2."""
    rules = find("callanish-5")
    start = rules.parse(EDGE)
    return tuple(proofs.write(proofs.make(Search(start), rules, start, "p2", 6)))


def changed(number: int, **fields: Any) -> list[str]:
    """The proof with other values on a line, from 1."""
    lines = list(edge())
    lines[number - 1] = json.dumps(json.loads(lines[number - 1]) | fields) + "\n"
    return lines


def test_the_checker_agrees_with_a_proof() -> None:
    """It reads what was written, and says who wins from where."""
    proof = proofs.check(edge())
    assert (proof.rules.name, proof.winner, proof.plies) == ("callanish-5", "p2", 6)
    assert proof.start.fen() == EDGE
    assert len(proof.answers) == len(edge()) - 1 > 1
    assert tuple(proofs.write(proof)) != ()


def test_a_tafl_win_has_a_proof_for_either_winner() -> None:
    """A king escapes in three plies, and p2 may be on the move or not."""
    rules = find("brandub")
    for fen, plies in (("7/2a4/7/3k3/7/7/a6 p2 1", 3), ("7/2a4/7/3k3/7/7/1a5 p1 1", 4)):
        start = rules.parse(fen)
        search = Search(start)
        assert (search.wins if start.side == "p2" else search.loses)(start, plies), fen
        made = proofs.make(search, rules, start, "p2", plies)
        assert proofs.check(proofs.write(made)).winner == "p2"


def test_no_line_can_be_left_out() -> None:
    """Each line of the proof is needed."""
    for number in range(1, len(edge())):
        with pytest.raises(Wrong, match="no line answers"):
            proofs.check(line for at, line in enumerate(edge()) if at != number)


CHANGES: dict[str, tuple[Callable[[], list[str]], int, str]] = {
    "a move that is not legal": (lambda: changed(3, move="a1b3c3"), 3, "no legal move"),
    "a move that does not win": (lambda: changed(2, move="e5"), 2, "no line answers"),
    "too few plies": (lambda: changed(8, plies=1), 8, "not lost within 0 plies"),
    "plies that do not fall": (lambda: changed(4, plies=6), 2, "takes 6 plies, and 4 are left"),
    "too few plies at the start": (lambda: changed(1, plies=5), 1, "takes 6 plies, and 5 are left"),
    "the turn of the loser": (lambda: changed(3, position="5/5/5/5/w4 p1"), 3, "not the turn of p2"),
    "another board": (lambda: changed(3, position="7/7/7/7/7/7/7 p2"), 3, "callanish-5 has 5 files"),
    "no position": (lambda: changed(3, position="what"), 3, "position string"),
    "a number for a move": (lambda: changed(3, move=7), 3, "which are texts"),
    "an image of another line": (
        lambda: [*edge(), '{"position": "5/5/5/5/1w3 p2", "move": "a1", "plies": 6}'],
        len(edge()) + 1,
        "has its answer on line 2",
    ),
    "a line that is no JSON": (lambda: [*edge()[:2], "what\n", *edge()[2:]], 3, "must be a JSON object"),
    "a line without an end": (lambda: [*edge(), " " * 20_000], len(edge()) + 1, "must be a JSON object"),
    "another winner": (lambda: changed(1, winner="p1"), 2, "not the turn of p1"),
    "a symmetry that there is not": (lambda: changed(1, symmetries=["turn-45"]), 1, "turn-45 is not known"),
    "fewer symmetries than were folded": (lambda: changed(1, symmetries=[]), 1, "no line answers"),
    "more positions than there are": (lambda: changed(1, positions=99), 1, "positions is 99"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_first_wrong_line_is_named(name: str) -> None:
    """Whatever was changed, the checker says no, and where."""
    lines, number, said = CHANGES[name]
    with pytest.raises(Wrong, match=said) as wrong:
        proofs.check(lines())
    assert wrong.value.line == number


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "line 1 must be"),
        (["{}\n"], "line 1 must be"),
        (["[" * 9000], "line 1 must be"),
        (lambda: changed(1, plies="three"), "plies is missing or of the wrong type"),
        (lambda: changed(1, winner="p3"), "winner must be p1 or p2"),
        (lambda: changed(1, variant="chess"), "'chess'"),
        (lambda: changed(1, start="what"), "line 1: a position string"),
    ],
)
def test_what_is_no_proof_is_refused(lines: Any, said: str) -> None:
    """The sentence names the line and the field."""
    with pytest.raises(BadProof, match=said):
        proofs.check(lines() if callable(lines) else lines)


def test_a_board_with_a_hole_cannot_be_turned() -> None:
    """A symmetry that brings a hole to a square without one proves nothing."""
    rules = find("callanish")
    start = rules.parse("*4/5/5/5/4w p2 1")
    head = {"format": proofs.FORMAT, "variant": "callanish", "start": start.fen(), "winner": "p2"}
    with pytest.raises(Wrong, match="does not bring the holes"):
        proofs.check([json.dumps({**head, "plies": 3, "symmetries": ["turn-90"], "positions": 0})])
