"""Reads a variant of a user's own from a TOML file: a base, a name, and perhaps a board and changed rule options.

What comes out is a name that `arena.games.variants.find` understands, so nobody needs the file again. Only what a user
names is read as a file: a variant in a record never is.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from arena.games.drawn_text import check_drawing, naming, read_text, rows_of
from arena.games.rules import BadPosition, Rules, RulesError
from arena.games.squares import write_rows
from arena.games.variants import find, names, own_name_fault, resolve

MAX_TITLE = 60
"""The most characters of a name in a file."""
KEYS = ("base", "name", "name_ja", "board", "side", "rules")
_SUFFIX = ".toml"
_WORD = re.compile(r"[^\s,=]+")


class BadVariantFile(RulesError):
    """A file that is no variant. The message is one sentence that names the file and, if possible, the key."""


@dataclass(frozen=True, slots=True)
class VariantFile:
    """A variant of a user's own, as its file has it."""

    rules: Rules
    name: str
    """The name in English, as the file writes it."""
    name_ja: str
    """The name in Japanese; that in English where the file has none."""


def is_file_name(variant: str) -> bool:
    """Whether a user means a file by this: its name ends in `.toml`."""
    return variant.strip().lower().endswith(_SUFFIX)


def named(variant: str, folder: Path | None = None) -> str:
    """The name of the variant that a user asks for, be it a name or a file, relative to `folder`.

    Raises BadVariantFile.
    """
    if is_file_name(variant):
        return read(Path(variant.strip()) if folder is None else folder / variant.strip()).rules.name
    file, suffix, _ = variant.partition(f"{_SUFFIX}:")
    if suffix:
        raise BadVariantFile(f"{file}{_SUFFIX}: takes no rule options after its name: write them in the file, as rules")
    base = variant.partition(":")[0]
    if "/" in base or "." in base:
        raise BadVariantFile(f"{base}: is no name of a variant, and the file of a variant of your own ends in .toml")
    if base not in names() and ((folder or Path()) / f"{base}{_SUFFIX}").is_file():
        raise BadVariantFile(f"there is no variant {base!r}; did you mean {base}{_SUFFIX}?")
    return variant


def read(path: Path) -> VariantFile:
    """The variant in a file. Raises BadVariantFile."""
    with naming(path, BadVariantFile):
        return _variant(tomllib.loads(read_text(path, "variant")))


def _variant(table: Mapping[str, object]) -> VariantFile:
    if not table:
        raise BadVariantFile('is empty: write at least base = "callanish-9" and name = "..."')
    if "board" in table and not {"base", "name"} & table.keys():
        raise BadVariantFile("is a drawn board: give it with --board, or make it a variant with the keys base and name")
    for key in table:
        if key not in KEYS:
            near = get_close_matches(key, KEYS, 1)
            hint = f"did you mean {near[0]}?" if near else f"a variant may say {', '.join(KEYS)}"
            raise BadVariantFile(f"unknown key {key!r}; {hint}")
    base = _text(table, "base", '"callanish" or "scottish"')
    title = _title(table, "name")
    if ":" in base:
        raise BadVariantFile(f"base is {base!r}: write the variant alone, and its rule options as rules")
    try:
        plain = find(base)
    except RulesError as error:
        raise BadVariantFile(f"base: {error}") from error
    side, name = _text(table, "side", '"p1" or "p2"', plain.start().side), _short(title)
    if reason := own_name_fault(name):
        raise BadVariantFile(f"name is {title!r}, in short {name!r}, which {reason}")
    options = _options(table.get("rules", ""))
    try:
        find(base, options)
    except RulesError as error:
        raise BadVariantFile(f"rules: {error}") from error
    if "board" not in table:
        if "side" in table:
            raise BadVariantFile("side says who moves on a board: draw a board, or leave side out")
        return _found(f"{base}:name={name},{options.replace(' ', ',')}", title, table)
    rows = rows_of(_text(table, "board", '""", the rows, and """'))
    try:
        check_drawing(rows, plain, "take a variant of {} as the base")
        if side not in ("p1", "p2"):
            raise BadVariantFile(f'side is {side!r}: write "p1" or "p2", the side that moves first')
        drawn = f"board={write_rows(rows)},side={side}"
        return _found(f"{base}:name={name},{options.replace(' ', ',')},{drawn}", title, table)
    except BadPosition as error:
        raise BadVariantFile(f"board: {error}") from error


def _found(whole_name: str, title: str, table: Mapping[str, object]) -> VariantFile:
    rules, start = resolve(whole_name)
    if start.outcome is not None:
        raise BadPosition(
            f"the game is over at its start ({start.outcome.winner} by {start.outcome.reason}): draw another start"
        )
    return VariantFile(rules, title, _title(table, "name_ja") if "name_ja" in table else title)


def _text(table: Mapping[str, object], key: str, example: str, default: str | None = None) -> str:
    value = table.get(key, default)
    if value is None:
        raise BadVariantFile(f"the key {key} is missing; write {key} = {example}")
    if not isinstance(value, str):
        raise BadVariantFile(f"{key} is {value!r}: write it in quotes, such as {key} = {example}")
    return value


def _title(table: Mapping[str, object], key: str) -> str:
    title = _text(table, key, '"Two lochs"' if key == "name" else '"二つの湖"').strip()
    if not title or not title.isprintable():
        raise BadVariantFile(f'{key} is {title!r}: write a name of printable characters, such as "Two lochs"')
    if len(title) > MAX_TITLE:
        raise BadVariantFile(f"{key} has {len(title)} characters: a name has at most {MAX_TITLE}")
    return title


def _short(title: str) -> str:
    """`two-lochs` for `Two lochs`: small letters and digits, without accents and apostrophes."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")


def _options(rules: object) -> str:
    """The rule options as `option=value` pairs, from a table, or from a text as a tournament file has it."""
    if isinstance(rules, str):
        return " ".join(rules.replace(",", " ").split())
    if not isinstance(rules, dict):
        raise BadVariantFile(f'rules is {rules!r}: write a table, such as [rules] with king_armed = "yes"')
    pairs = []
    for option, value in rules.items():
        if isinstance(value, bool):
            raise BadVariantFile(f'rules.{option} is {str(value).lower()}: write "yes" or "no", in quotes')
        if not isinstance(value, str | int) or not all(_WORD.fullmatch(f"{word}") for word in (option, value)):
            raise BadVariantFile(f"rules.{option} is {value!r}: write a word in quotes or a number")
        pairs.append(f"{option}={value}")
    return " ".join(pairs)
