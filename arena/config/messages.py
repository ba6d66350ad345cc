"""Error messages for keys of a file: the place, what is wrong, and the remedy."""

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from arena.config.schema import EngineTable, LimitsTable, RegistryFile, TournamentFile, TournamentTable
from arena.config.settings import Waits
from arena.formats.registry import KEYS

TABLES: dict[str, type[BaseModel]] = {
    "[tournament]": TournamentTable,
    "[[engines]]": EngineTable,
    "an engine's `limits`": LimitsTable,
}

MILLISECONDS = frozenset({"movetime", "margin", "reading", "lag", *Waits.model_fields})
"""Keys that are times in ms."""
LENGTHS = {
    "too_short": "has {actual_length}, and at least {min_length} are needed: add more",
    "too_long": "has {actual_length}, and at most {max_length} are allowed: leave some out",
    "string_too_short": "is empty: fill it in",
    "string_too_long": "is too long: {max_length} characters are allowed at most",
}
"""Our words for the types of error that pydantic describes in terms of Python."""
BOUNDS = {
    "greater_than_equal": "at least {ge}",
    "greater_than": "above {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "below {lt}",
}
SHAPES = {
    "string_type": ("text in quotes", '"..."'),
    "int_type": ("a whole number", "2"),
    "float_type": ("a number", "1.5"),
    "bool_type": ("true or false without quotes", "true"),
    "list_type": ("a list", '["..."]'),
}
"""By the type of error: what is expected, and an example."""
EXAMPLES = {key.name: key.example for key in KEYS.values() if key.example} | {"tc": '"5+0.1"', "name": '"fox"'}
"""Values of keys that a plain example would misdescribe."""
_ENGINES = 'each engine has a table that begins with [[engines]], and in it name = "greedy"'
TABLE_EXAMPLES = {
    "tournament": "its keys follow a line [tournament]",
    "each": "its keys follow a line [each]",
    "engines": _ENGINES,
    "limits": "write a table, such as limits = { start_ms = 20000 }",
    "options": "write a table, such as options = { Hash = 16 }",
    "environment": 'write a table, such as environment = { NAME = "value" }',
}
"""What tables look like, by their keys."""

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


def of_options(errors: Sequence[Any], model: type[BaseModel], flags: Mapping[str, str]) -> list[str]:
    """The messages for options of a command, each with the option in front. `flags`: those that have another name."""
    lines = []
    for error in errors:
        field = str(error["loc"][0])
        extra = model.model_fields[field].json_schema_extra
        about: dict[str, Any] = extra if isinstance(extra, dict) else {}
        lines.append(of_option(error, model, flags.get(field) or about.get("flag") or f"--{field.replace('_', '-')}"))
    return lines


def of_option(error: Any, model: type[BaseModel], flag: str) -> str:
    """The message for one option, which begins with `flag`."""
    what = _what(error, model)
    if error["type"] != "value_error" and what.startswith("is "):  # the value, as it was typed
        return f"{flag} {error['input']}: {what.partition(': ')[2]}"
    return f"{flag}{' ' if what.startswith(('is ', 'has ', 'goes ', 'says ', 'and ')) else ': '}{what}"


def _where(location: tuple[int | str, ...]) -> str:
    """`engines.2.name` for ('engines', 1, 'name'), as `--set` takes it: entries are counted from 1."""
    parts = (part + 1 if isinstance(part, int) else part if part.isprintable() else repr(part) for part in location)
    return ".".join(map(str, parts)) or "the file"


def _what(error: Any, model: type[BaseModel]) -> str:
    if error["type"] == "extra_forbidden":
        return _unknown(str(error["loc"][-1]), model)
    if error["type"] == "missing":
        key = error["loc"][-1]
        return f"is missing: {_ENGINES}" if key == "engines" else f'is missing: write {key} = "..."'
    if error["type"] in BOUNDS:
        bound = BOUNDS[error["type"]].format(**error["ctx"]).removesuffix(".0")
        return f"is {_toml(error['input'])}: it must be {bound}"
    if error["type"] in LENGTHS:
        return LENGTHS[error["type"]].format(**error["ctx"])
    if error["type"] == "literal_error":
        return _no_choice(error)
    if error["type"] == "int_from_float" or (error["type"] == "int_type" and isinstance(error["input"], float)):
        milliseconds = str(error["loc"][-1]) in MILLISECONDS
        return f"is {error['input']}: write a whole number{' of milliseconds' if milliseconds else ''}"
    if error["type"] in ("int_parsing", "float_parsing", "finite_number"):
        return f"is {error['input']!r}: write a {'whole ' if error['type'] == 'int_parsing' else ''}number"
    if error["type"] == "value_error":
        return str(error["msg"]).removeprefix("Value error, ")
    return f"is {_toml(error['input'])}: {_shape(error['type'], error['loc'], error['input'])}"


def _shape(type_: str, location: Sequence[int | str], given: object) -> str:
    """What should stand there instead, with an example."""
    names = [str(part) for part in location if not isinstance(part, int)]
    if type_ == "list_type" and names == ["engines"]:
        return _ENGINES
    if type_ in SHAPES:
        what, example = SHAPES[type_]
        if type_ == "int_type" and isinstance(given, str) and given.isascii() and given.isdigit():
            example = given
        in_list = isinstance(location[-1], int)
        if names[-1] in EXAMPLES and not in_list:
            example = EXAMPLES[names[-1]]
        return f"write {what}, such as {example if in_list else f'{names[-1]} = {example}'}"
    return TABLE_EXAMPLES.get(names[-1] if names else "", "`arena docs TOURNAMENT_FILE` says what is allowed here")


def _toml(value: object) -> str:
    """The value as it may stand in a file; a table and a list by their names."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else str(value)


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
