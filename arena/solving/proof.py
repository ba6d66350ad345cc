"""Proofs: a whole strategy of the winner as JSON lines, made from a search and checked by the plain rules alone.

The first line is the header: variant, start, winner, the plies of the longest line of play, the symmetries. Each
further line is one position with the winner to move: his move there, and in how many plies he has won. The checker
plays each move and every reply to it. After each of them the winner has won, or the position is on a line with fewer
plies: so no line of play goes on for ever, and none comes to a position again. It uses nothing of the search.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, TextIO

from arena.games.rules import Position, Rules, RulesError, Side
from arena.games.symmetry import Fold, fault, fold_of, frame
from arena.games.variants import find
from arena.solving.search import Search

FORMAT: Final = "callanish-arena-proof-1"
MOST_LINE: Final = 10_000
"""Characters of the longest line that a proof may have."""


class BadProof(RulesError):
    """A file that is no proof. The message names the line and the field."""


class Wrong(Exception):
    """A proof that does not hold. `line` is its first wrong line, from 1; the message says what is wrong."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class Answer(NamedTuple):
    """What the winner plays in a position."""

    position: str
    """Folded."""
    move: str
    plies: int
    """He has won after so many plies from here on."""


class _Row(NamedTuple):
    """A line as it was read."""

    line: int
    position: Position
    move: str
    plies: int


class Proof(NamedTuple):
    """What a proof says as a whole."""

    rules: Rules
    start: Position
    winner: Side
    plies: int
    symmetries: tuple[str, ...]
    answers: tuple[Answer, ...]


def make(search: Search, rules: Rules, start: Position, winner: Side, plies: int) -> Proof:
    """The proof that `winner` wins from `start` within `plies`, which the search has proven. Raises SearchEnded.

    The move of each position is the first one by its word that wins fastest: so equal proofs are equal files.
    """
    fold, answers = search.fold, dict[str, Answer]()
    pending = [start] if start.side == winner else _open(start, fold, answers)
    for position in pending:
        key = fold.position(position)
        if key in answers:
            continue
        folded = rules.parse(fold.fen(key))
        fewest = search.shortest(folded, plies)
        for move in folded.legal_moves():
            after = folded.play(move)
            if after.outcome is not None:
                proven = after.outcome.winner == winner
            else:
                proven = search.loses(after, fewest - 1)
            if proven:
                answers[key] = Answer(key, move.text, fewest)
                pending += _open(after, fold, answers)
                break
        else:
            raise AssertionError(f"the search does not prove {fold.fen(key)}")
    return Proof(rules, start, winner, plies, search.symmetries, tuple(answers.values()))


def _open(position: Position, fold: Fold, answers: dict[str, Answer]) -> list[Position]:
    """The positions after each reply that need an answer and have none."""
    positions: dict[str, Position] = {}
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is None and (key := fold.position(after)) not in answers:
            positions.setdefault(key, after)
    return list(positions.values())


def write(proof: Proof) -> Iterator[str]:
    """The lines of a proof, each with its line end."""
    head = {
        "format": FORMAT,
        "variant": proof.rules.name,
        "start": proof.start.fen(),
        "winner": proof.winner,
        "plies": proof.plies,
        "symmetries": list(proof.symmetries),
        "positions": len(proof.answers),
    }
    yield f"{json.dumps(head)}\n"
    fold = fold_of(proof.start.fen(), proof.symmetries)
    for position, move, plies in proof.answers:
        yield f"{json.dumps({'position': fold.fen(position), 'move': move, 'plies': plies})}\n"


def lines_of(stream: TextIO) -> Iterator[str]:
    """The lines of a file. One that is too long for a proof comes cut, so that it is refused."""
    while line := stream.readline(MOST_LINE + 1):
        yield line
        while len(line) > MOST_LINE and not line.endswith("\n"):
            line = stream.readline(MOST_LINE + 1)


def check(lines: Iterable[str]) -> Proof:
    """What the lines of a proof prove, once all of it has been checked. Raises BadProof and Wrong.

    All lines are read before the first one is judged, since an answer leads to positions on any line.
    """
    numbered = iter(enumerate(lines, 1))
    proof, count = _header(next(numbered, (1, ""))[1])
    fold = fold_of(proof.start.fen(), proof.symmetries)
    rows: dict[str, _Row] = {}
    for number, line in numbered:
        row = _row(line, number, proof)
        key = fold.position(row.position)
        if key in rows:
            raise Wrong(number, f"the position, or an image of it, has its answer on line {rows[key].line}")
        rows[key] = row
    known = {key: row.plies for key, row in rows.items()}
    if proof.start.side == proof.winner:
        _check_win(1, proof.start, proof, fold, known, proof.plies)
    else:
        _check_replies(1, proof.start, proof, fold, known, proof.plies)
    for row in rows.values():
        _check_row(row, proof, fold, known)
    if len(rows) != count:
        raise Wrong(1, f"positions is {count}, but {len(rows)} lines follow")
    return proof._replace(answers=tuple(Answer(key, row.move, row.plies) for key, row in rows.items()))


def _header(line: str) -> tuple[Proof, int]:
    """What the first line says, and how many lines are to follow."""
    head = _object(line)
    if head is None or head.get("format") != FORMAT:
        raise BadProof(f'line 1 must be a JSON object with "format": "{FORMAT}"; make it with `arena solve`')
    kinds = {"variant": str, "start": str, "winner": str, "plies": int, "symmetries": list, "positions": int}
    for key, kind in kinds.items():
        if type(head.get(key)) is not kind:
            raise BadProof(f"line 1: {key} is missing or of the wrong type; make it with `arena solve`")
    winner: Side | None = {"p1": "p1", "p2": "p2"}.get(head["winner"])  # type: ignore[assignment]
    if winner is None:
        raise BadProof("line 1: winner must be p1 or p2")
    try:
        rules = find(head["variant"])
        start = rules.parse(head["start"])
    except RulesError as error:
        raise BadProof(f"line 1: {error}") from error
    if start.outcome is not None:
        raise Wrong(1, "the game is over at the start, so nothing is to be proven")
    names = tuple(str(name) for name in head["symmetries"])
    for name in names:
        if reason := fault(name, start.fen()):
            raise Wrong(1, f"the symmetry {name} {reason}")
    return Proof(rules, start, winner, head["plies"], names, ()), head["positions"]


def _row(line: str, number: int, proof: Proof) -> _Row:
    values = _object(line)
    if values is None:
        raise Wrong(number, f"it must be a JSON object of at most {MOST_LINE} characters")
    fen, move, plies = values.get("position"), values.get("move"), values.get("plies")
    if not isinstance(fen, str) or not isinstance(move, str) or type(plies) is not int:
        raise Wrong(number, "it must have position and move, which are texts, and plies, a whole number")
    try:
        position = proof.rules.parse(fen)
    except RulesError as error:
        raise Wrong(number, str(error)) from error
    if frame(fen) != frame(proof.start.fen()):
        raise Wrong(number, "the board is not that of the start")
    if position.side != proof.winner:
        raise Wrong(number, f"it is not the turn of {proof.winner}, who is to win")
    return _Row(number, position, move, plies)


def _check_row(row: _Row, proof: Proof, fold: Fold, known: dict[str, int]) -> None:
    """The move is legal, and after each reply the winner has won or wins in fewer plies. Raises Wrong."""
    move = row.position.find(row.move)
    if move is None:
        raise Wrong(row.line, f"{row.move!r} is no legal move")
    after = row.position.play(move)
    if after.outcome is None:
        _check_replies(row.line, after, proof, fold, known, row.plies - 1)
    elif after.outcome.winner != proof.winner or row.plies < 1:
        raise Wrong(row.line, f"{row.move} does not win in {row.plies} plies")


def _check_replies(line: int, position: Position, proof: Proof, fold: Fold, known: dict[str, int], plies: int) -> None:
    """The loser moves: each of his moves loses within so many plies. Raises Wrong."""
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is None:
            _check_win(line, after, proof, fold, known, plies - 1, move.text)
        elif after.outcome.winner != proof.winner or plies < 1:
            raise Wrong(line, f"the reply {move.text} is not lost within {plies} plies")


def _check_win(
    line: int, position: Position, proof: Proof, fold: Fold, known: dict[str, int], plies: int, reply: str = ""
) -> None:
    """The winner moves: a line answers the position, and says that he wins within so many plies. Raises Wrong."""
    where = f"after the reply {reply}, " if reply else ""
    needed = known.get(fold.position(position))
    if needed is None:
        raise Wrong(line, f"{where}no line answers the position {position.fen()}")
    if needed > plies:
        raise Wrong(line, f"{where}the win takes {needed} plies, and {plies} are left")


def _object(line: str) -> dict[str, Any] | None:
    if len(line) > MOST_LINE:
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
