"""How a game, a run and a player lie in a row of the results file, in columns that people can query.

A column of `games` has the name of the attribute of `GameRecord` that it holds. So a new fact of a game is a field of
that class, and a column of the schema; only a fact that SQL cannot hold as it is needs more, here.

A file can be edited by hand: its columns keep their SQL types, but not what we wrote into them. So what was read is
checked before anything computes with it; whether a move can be played is checked where games are replayed.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, fields, replace
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import Any, get_args

from results import strict_json
from results.plies import Plies, Ply, join_moves
from results.record import ENDING, ClockKind, Evidence, GameRecord, Player, Run, Side, Winner

Row = tuple[Any, ...]

FIELDS = tuple(field.name for field in fields(GameRecord))
READ_COLUMNS = (*FIELDS, "moves", "pvs")
"""The columns of `games` from which a record is made, the id first."""
GAME_COLUMNS = (*READ_COLUMNS, "run", "ply_count", "flagged", "machine", "burns_idle", "line", "disputed")
"""All columns of `games` but `seq`. Those after `pvs` follow from the others."""
RUN_COLUMNS = tuple(field.name for field in fields(Run))
PLAYER_COLUMNS = tuple(field.name for field in fields(Player))

_SOURCES = {"plies": "plies.costs", "moves": "movetext", "pvs": "plies.pvs", "disputed": "sums.disputed"}
"""The attributes that are not called as their column."""
_attributes = attrgetter(*(_SOURCES.get(name, name) for name in GAME_COLUMNS))
_json = json.JSONEncoder(ensure_ascii=False).encode
"""Half a character stays as it is, so SQLite refuses it; escaped it would be stored, and no reader would take it."""
_CONVERT: dict[str, Callable[[Any], object]] = {
    "termination": str,
    "opening": join_moves,
    "burns_idle": " ".join,
    "evidence": lambda evidence: None if evidence is None else _json(asdict(evidence)),
}
_CONVERT_AT = tuple((GAME_COLUMNS.index(name), convert) for name, convert in _CONVERT.items())
what_was_played = itemgetter(*map(GAME_COLUMNS.index, ("line", "winner", "termination")))
"""From a row, what tells whether two games are the same one."""
from_run: Callable[[Run], Row] = attrgetter(*RUN_COLUMNS)

_FACTS = ("id", "winner", "termination", "clock", "fen", "number", "round", "start_ply")
facts_of_row, _facts_of = itemgetter(*map(GAME_COLUMNS.index, _FACTS)), attrgetter(*_FACTS)
_WINNERS, _CLOCKS = get_args(Winner), get_args(ClockKind)
_ID = re.compile(r"\S+-\d{1,18}")
_PLY_KINDS = list(Ply.__annotations__.items())
_EVIDENCE_KINDS = [(field.name, field.type) for field in fields(Evidence) if field.name not in ("side", "transcript")]

_SETTINGS: dict[str, Any] = {"format": str, "engines": list, "starts": list, "book": list | None}
_SETTINGS |= {"batch": int, "games": int}


def from_game(record: GameRecord) -> Row:
    """In the order of GAME_COLUMNS. Raises ValueError for a move that is not one word: it could not be read back."""
    try:
        if not isinstance(record.plies, Plies):
            record = replace(record, plies=Plies.of(record.plies))  # so that they are packed once and not for each sum
        values = list(_attributes(record))
        for at, convert in _CONVERT_AT:
            values[at] = convert(values[at])
    except ValueError as error:
        raise ValueError(f"game {record.id}: {error}") from error
    return tuple(values)


def to_game(row: Mapping[str, Any]) -> GameRecord:
    """From the values of READ_COLUMNS."""
    opening = tuple(row["opening"].split())
    values = {name: row[name] for name in FIELDS} | {
        "opening": opening,
        "plies": Plies(" ".join(row["moves"].split()[len(opening) :]), row["plies"], row["pvs"]),
        "termination": row["termination"],
        "measured": bool(row["measured"]),
        "evidence": None if row["evidence"] is None else Evidence.of(strict_json.parse_object(row["evidence"])),
    }
    return GameRecord(**values)


def from_player(player: Player) -> Row:
    """In the order of PLAYER_COLUMNS."""
    return (player.name, player.version, player.author, _json(player.command), player.sha256, player.family)


def to_command(text: str) -> tuple[str, ...]:
    """The command of a player. Raises ValueError."""
    words = strict_json.parse(text)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError("command is no list of words")
    return tuple(words)


def is_game_id(text: str) -> bool:
    """Whether it can be the id of a game."""
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
    yield from fact_faults(_facts_of(record))
    wrong = [
        f"{name} of ply {number} is {getattr(ply, name)!r}"
        for number, ply in enumerate(record.plies, 1)
        for name, kind in _PLY_KINDS
        if not isinstance(getattr(ply, name), kind)
    ]
    yield from wrong
    if not wrong and record.moves != tuple(moves.split()):
        yield "its moves are not its opening and the plies played"
    if (evidence := record.evidence) is not None and not (
        evidence.side in get_args(Side)
        and all(isinstance(line, str) for line in evidence.transcript)
        and all(isinstance(getattr(evidence, name), kind) for name, kind in _EVIDENCE_KINDS)  # type: ignore[arg-type]  # plain types all
    ):
        yield "evidence is not as it was written"


def fact_faults(facts: Row) -> Iterator[str]:
    """What is wrong with these values of a game, in clauses. To ask this of each game that is stored takes 1 us."""
    game, winner, termination, clock, fen, number, round_, start_ply = facts
    if not is_game_id(game):
        yield f"id is {game!r}; it is a run's id, a hyphen and the number"
    if winner is not None and winner not in _WINNERS:
        yield f"winner is {winner!r}"
    if ENDING.fullmatch(termination) is None:
        yield f"termination is {termination!r}"
    if clock not in _CLOCKS:
        yield f"clock is {clock!r}"
    if not fen or not fen.isprintable():
        yield f"fen is {fen!r}, not a line of printable characters"
    if number < 1 or round_ < 0:
        yield f"it is game {number} of round {round_}; games count from 1"
    if start_ply < 0:
        yield f"start_ply is {start_ply}"
