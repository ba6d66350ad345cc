"""Checks a game that was read from a results file, before anything computes with it.

A file can be edited by hand: its columns keep their SQL types, but not what we wrote into them. Independent of the
rules of the games: whether a move can be played is checked where games are replayed.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import get_args

from results.plies import Ply
from results.record import ClockKind, Evidence, GameRecord, Side, Winner

_POSITION = re.compile(r"[^ ]* (p1|p2) [0-9]{1,9}")
"""A board, the side to move, the number of the turn."""
_PLY_KINDS = list(Ply.__annotations__.items())
_EVIDENCE_KINDS = [(field.name, field.type) for field in fields(Evidence) if field.name not in ("side", "transcript")]


def faults(record: GameRecord, moves: str) -> Iterator[str]:
    """What is wrong with a game, in clauses; `moves` are all its moves as the file has them, split by blanks."""
    if record.winner is not None and record.winner not in get_args(Winner):
        yield f"winner is {record.winner!r}"
    if record.clock not in get_args(ClockKind):
        yield f"clock is {record.clock!r}"
    wrong = list(_faults_of_plies(record.plies))
    yield from wrong
    if not wrong and record.moves != tuple(moves.split()):
        yield "its moves are not its opening and the plies played"
    if _POSITION.fullmatch(record.fen) is None:
        yield f"fen is {record.fen!r}, not a board, a side and a turn number"
    if record.time_factor is not None and not record.time_factor > 0:
        yield f"time_factor is {record.time_factor!r}"
    if record.evidence is not None and not _is_evidence(record.evidence):
        yield "evidence is not as it was written"


def _faults_of_plies(plies: Iterable[Ply]) -> Iterator[str]:
    for number, ply in enumerate(plies, 1):
        for name, kind in _PLY_KINDS:
            if not isinstance(getattr(ply, name), kind):
                yield f"{name} of ply {number} is {getattr(ply, name)!r}"


def _is_evidence(evidence: Evidence) -> bool:
    return (
        evidence.side in get_args(Side)
        and all(isinstance(line, str) for line in evidence.transcript)
        and all(isinstance(getattr(evidence, name), kind) for name, kind in _EVIDENCE_KINDS)  # type: ignore[arg-type]  # plain types all
    )
