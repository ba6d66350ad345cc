"""Checks a game that was read from a results file, before anything computes with it.

A file can be edited by hand: its columns keep their SQL types, but not what we wrote into them. Independent of the
rules of the games: whether a move can be played is checked where games are replayed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any, get_args

from results import strict_json
from results.plies import Ply
from results.record import ENDING, ClockKind, Evidence, GameRecord, Side, Winner

_ID = re.compile(r"\S+-\d{1,18}")
_PLY_KINDS = list(Ply.__annotations__.items())
_EVIDENCE_KINDS = [(field.name, field.type) for field in fields(Evidence) if field.name not in ("side", "transcript")]

_SETTINGS: dict[str, Any] = {"format": str, "engines": list, "starts": list, "book": list | None, "batch": int}


def is_game_id(text: str) -> bool:
    """Can it be the id of a game?"""
    return _ID.fullmatch(text) is not None and text.isprintable()


@lru_cache(maxsize=1_000)
def run_fault(kind: str, config: str, versions: str) -> str | None:
    """What is wrong with the settings of a run, as a clause."""
    for name, text in (("config", config), ("versions", versions)):
        try:
            settings = strict_json.parse_object(text)
        except ValueError as error:
            return f"{name} {error}"
        if name == "config" and (wrong := _wrong_setting(kind, settings)):
            return f"{wrong} of config is not as it was written"
    return None


def _wrong_setting(kind: str, settings: Mapping[str, Any]) -> str | None:
    for key, types in _SETTINGS.items():
        if key in settings and not isinstance(settings[key], types):
            return key
    if kind == "ladder" and not settings.get("batch", 0) > 0:
        return "batch"
    starts, books = settings.get("starts", []), settings.get("book")
    if not all(isinstance(each, list) and len(each) > 1 and isinstance(each[0], str) for each in starts):
        return "starts"
    if not all(isinstance(each, dict) and isinstance(each.get("name"), str) for each in settings.get("engines", [])):
        return "engines"
    return "book" if books and len(books) != len(starts) else None


def faults(record: GameRecord, moves: str) -> Iterator[str]:
    """What is wrong with a game, in clauses; `moves` are all its moves as the file has them, split by blanks."""
    if not is_game_id(record.id):
        yield f"id is {record.id!r}; it is a run's id, a hyphen and the number"
    if record.winner is not None and record.winner not in get_args(Winner):
        yield f"winner is {record.winner!r}"
    if ENDING.fullmatch(record.termination) is None:
        yield f"termination is {record.termination!r}"
    if record.clock not in get_args(ClockKind):
        yield f"clock is {record.clock!r}"
    wrong = list(_faults_of_plies(record.plies))
    yield from wrong
    if not wrong and record.moves != tuple(moves.split()):
        yield "its moves are not its opening and the plies played"
    if not record.fen or not record.fen.isprintable():
        yield f"fen is {record.fen!r}, not a line of printable characters"
    if record.number < 1 or record.round < 0:
        yield f"it is game {record.number} of round {record.round}; games count from 1"
    if record.start_ply < 0:
        yield f"start_ply is {record.start_ply}"
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
