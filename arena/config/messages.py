"""Error messages for keys of a file: the place, what is wrong, and the remedy."""

import difflib
import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from arena.config.schema import EngineTable, LimitsTable, RegistryFile, TournamentFile, TournamentTable

TABLES: dict[str, type[BaseModel]] = {
    "[tournament]": TournamentTable,
    "[[engines]]": EngineTable,
    "an engine's `limits`": LimitsTable,
}

MILLISECONDS = frozenset({"movetime", "margin", "reading", "start_ms", "ready_ms", "newgame_ms", "quit_ms"})
"""Keys that are times in ms."""
LENGTHS = {
    "too_short": "has {actual_length} where at least {min_length} are needed: add more",
    "too_long": "has {actual_length} where at most {max_length} are allowed: leave some out",
    "string_too_short": "is empty: fill it in",
    "string_too_long": "is too long: {max_length} characters are allowed at most",
}
"""Our words for the types of error that pydantic describes in terms of Python."""


_MEANT = {
    "args": "command",
    "cmd": "command",
    "cwd": "directory",
    "dir": "directory",
    "env": "environment",
    "workdir": "directory",
}
"""What other tools call a key of ours; too unlike it to be found by its letters."""


def all_of(errors: Sequence[Any], model: type[BaseModel]) -> list[str]:
    """The messages for errors of pydantic. Engines in the wrong place are not called missing, too."""
    misplaced = any(
        error["type"] == "extra_forbidden" and error["loc"][-1] in ("engines", "engine") for error in errors
    )
    return [
        f"{_where(error['loc'])}: {_what(error, model)}"
        for error in errors
        if not (misplaced and error["type"] == "missing" and error["loc"] == ("engines",))
    ]


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
    if error["type"] == "literal_error":
        return _no_choice(error)
    if error["type"] == "int_from_float" or (error["type"] == "int_type" and isinstance(error["input"], float)):
        milliseconds = str(error["loc"][-1]) in MILLISECONDS
        return f"is {error['input']}: write a whole number{' of milliseconds' if milliseconds else ''}"
    if isinstance(error["input"], str) and str(error["loc"][-1]) in MILLISECONDS:
        return f"is {error['input']!r}: write milliseconds, as 100 without quotes"
    message = str(error["msg"]).removeprefix("Value error, ")
    return message if error["type"] == "value_error" else f"{message} (it is {error['input']!r})"


def _no_choice(error: Any) -> str:
    """The message for a word that is none of some words: the one that is probably meant, or all of them."""
    given, expected = str(error["input"]), str(error["ctx"]["expected"])
    near = difflib.get_close_matches(given.lower(), re.findall(r"'([^']*)'", expected), 1)
    return f"is {error['input']!r}: " + (f"did you mean {near[0]!r}?" if near else f"write {expected}")


def _unknown(key: str, model: type[BaseModel]) -> str:
    """The message for an unknown key: the table where it belongs, or the key that is probably meant."""
    if key in RegistryFile.model_fields:
        return 'unknown key here; did you mean [[engines]]? Each engine has such a table, with name = "greedy"'
    places = [place for place, table in TABLES.items() if key in table.model_fields]
    if places:
        other = " of a tournament file" if model is RegistryFile and places == ["[tournament]"] else ""
        return f"unknown key here; it belongs in {' or '.join(places)}{other}"
    if key.lower() in _MEANT:
        return f"unknown key; did you mean {_MEANT[key.lower()]!r}?"
    tables: list[type[BaseModel]] = [model, RegistryFile, TournamentFile, *TABLES.values()]
    near = difflib.get_close_matches(key, sorted({known for table in tables for known in table.model_fields}), 1, 0.7)
    return "unknown key; " + (f"did you mean {near[0]!r}?" if near else "`arena docs TOURNAMENT_FILE` lists all keys")
