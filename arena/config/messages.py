"""Error messages for keys of a file: the place, what is wrong, and the remedy."""

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
"""Our words for the types of error that pydantic describes in terms of Python."""


def of(error: Any, model: type[BaseModel]) -> str:
    """The message for one of pydantic's errors about a file of this model."""
    return f"{_where(error['loc'])}: {_what(error, model)}"


def _where(location: tuple[int | str, ...]) -> str:
    """`engines[2].name` for ('engines', 1, 'name'): entries are counted from 1."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        elif part not in ("str", "int", "bool"):  # a type of a union that pydantic tried is not in the file
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
    message = str(error["msg"]).removeprefix("Value error, ")
    return message if error["type"] == "value_error" else f"{message} (it is {error['input']!r})"


def _unknown(key: str, model: type[BaseModel]) -> str:
    """The message for an unknown key: the table where it belongs, or the key that is probably meant."""
    places = [place for place, table in TABLES.items() if key in table.model_fields]
    if places:
        other = " of a tournament file" if model is RegistryFile and places == ["[tournament]"] else ""
        return f"unknown key here; it belongs in {' or '.join(places)}{other}"
    tables: list[type[BaseModel]] = [model, RegistryFile, TournamentFile, *TABLES.values()]
    near = difflib.get_close_matches(key, sorted({known for table in tables for known in table.model_fields}), 1, 0.7)
    return "unknown key; " + (f"did you mean {near[0]!r}?" if near else "`arena docs TOURNAMENT_FILE` lists all keys")
