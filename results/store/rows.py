"""How a game, a run and a player lie in a row of the results file, in columns that people can query.

A column of `games` has the name of the attribute of `GameRecord` that it holds. So a new fact of a game is a field of
that class, and a column of the schema; only a fact that SQL cannot hold as it is needs more, here.
Independent of connections, files and versions of the schema.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from operator import attrgetter, itemgetter
from typing import Any

from results import strict_json
from results.plies import Plies, join_moves
from results.record import Evidence, GameRecord, Player, Run

Row = tuple[Any, ...]

FIELDS = tuple(field.name for field in fields(GameRecord))
READ_COLUMNS = (*FIELDS, "moves", "pvs")
"""The columns of `games` from which a record is made, the id first."""
GAME_COLUMNS = (*READ_COLUMNS, "run", "ply_count", "flagged", "machine", "burns_idle", "line", "disputed")
"""All columns of `games` but `seq`. Those after `pvs` follow from the others."""
RUN_COLUMNS = tuple(field.name for field in fields(Run))
PLAYER_COLUMNS = tuple(field.name for field in fields(Player))

_SOURCES = {
    "plies": "plies.costs",
    "moves": "movetext",
    "pvs": "plies.pvs",
    "disputed": "sums.disputed",
}
"""The attributes that are not called as their column."""
_attributes = attrgetter(*(_SOURCES.get(name, name) for name in GAME_COLUMNS))
_CONVERT: dict[str, Callable[[Any], object]] = {
    "termination": str,
    "opening": join_moves,
    "burns_idle": " ".join,
    "evidence": lambda evidence: None if evidence is None else json.dumps(asdict(evidence)),
}
_CONVERT_AT = tuple((GAME_COLUMNS.index(name), convert) for name, convert in _CONVERT.items())
what_was_played = itemgetter(*map(GAME_COLUMNS.index, ("line", "winner", "termination")))
"""From a row, what tells whether two games are the same one."""
from_run: Callable[[Run], Row] = attrgetter(*RUN_COLUMNS)


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
    return (player.name, player.version, player.author, json.dumps(player.command), player.sha256, player.family)


def to_player(row: Row) -> Player:
    """From a row in the order of PLAYER_COLUMNS."""
    name, version, author, command, sha256, family = row
    return Player(name, version, author, to_command(command), sha256, family)


def to_command(text: str) -> tuple[str, ...]:
    """The command of a player. Raises ValueError."""
    words = strict_json.parse(text)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError("command is no list of words")
    return tuple(words)
