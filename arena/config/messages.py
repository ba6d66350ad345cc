"""What is wrong with a key of a file, in words: where it stands, and what would do."""

import difflib
from typing import Any

from pydantic import BaseModel

from arena.config.schema import EngineTable, LimitsTable, RegistryFile, TournamentFile, TournamentTable

TABLES: dict[str, type[BaseModel]] = {
    "[tournament]": TournamentTable,
    "[[engines]]": EngineTable,
    "an engine's `limits`": LimitsTable,
}

LENGTHS = {
    "too_short": "has {actual_length} where at least {min_length} are needed: add more",
    "too_long": "has {actual_length} where at most {max_length} are allowed: leave some out",
    "string_too_short": "is empty: fill it in",
    "string_too_long": "is too long: {max_length} characters are allowed at most",
}
"""What pydantic says in words that nobody would use of a file, by its type of error."""


def of(error: Any, model: type[BaseModel]) -> str:
    """One of pydantic's errors about a file of this model."""
    return f"{_where(error['loc'])}: {_what(error, model)}"


def _where(location: tuple[int | str, ...]) -> str:
    """`engines[2].name` from ('engines', 1, 'name'): entries are counted from 1, as people do."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        elif part not in ("str", "int", "bool"):  # the arm of a union that was tried is no place in the file
            plain = part if part.isprintable() else repr(part)
            text += f".{plain}" if text else plain
    return text or "the file"


def _what(error: Any, model: type[BaseModel]) -> str:
    if error["type"] == "extra_forbidden":
        return _unknown(str(error["loc"][-1]), model)
    if error["type"] == "missing":
        return "is missing"
    if error["type"] in LENGTHS:
        return LENGTHS[error["type"]].format(**error["ctx"])
    said = str(error["msg"]).removeprefix("Value error, ")
    return said if error["type"] == "value_error" else f"{said} (it is {error['input']!r})"


def _unknown(key: str, model: type[BaseModel]) -> str:
    """A key that stands where none is called so: where it belongs, or which one is meant."""
    places = [place for place, table in TABLES.items() if key in table.model_fields]
    if places:
        other = " of a tournament file" if model is RegistryFile and places == ["[tournament]"] else ""
        return f"unknown key here; it belongs in {' or '.join(places)}{other}"
    tables: list[type[BaseModel]] = [model, RegistryFile, TournamentFile, *TABLES.values()]
    near = difflib.get_close_matches(key, sorted({known for table in tables for known in table.model_fields}), 1, 0.7)
    return "unknown key; " + (f"did you mean {near[0]!r}?" if near else "docs/TOURNAMENT_FILE.md lists all keys")
