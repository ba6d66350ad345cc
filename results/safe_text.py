"""Names and texts of strangers, made harmless where they are printed: one function for each kind of output.

`last_words` shortens the longest of them, what an engine wrote on stderr, to the line that says why it ended.

A name comes from a file, a database or an engine and may hold anything: escape sequences that steer a terminal, signs
that turn the direction of a line around, line breaks that forge lines, formulas that a sheet computes. What is stored
and what is compared stays as it is. JSON needs nothing more: `json.dumps` writes ASCII and escapes control characters.
"""

import re
import unicodedata
from collections.abc import Iterable

_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_PLAIN = re.compile(r"-|[+-]?\d+(\.\d+)?%?")
"""Texts that begin as a formula and are none: the sign for nothing, and numbers."""
_REASON = re.compile(r"^(\w+ )*[\w.:'\"() -]*(Error|Exception|Caused by|panicked at|panic:)(?!\w)")
_MOST = 200
"""The most characters shown of the line that says why an engine ended."""
_NO_PGN_WORD = re.compile(r"[^!-~]|[\[\]{}();$%\"*]")


def harmless(text: str) -> str:
    r"""One line for a terminal. What steers it, turns directions or shows nothing is escaped, such as `\x1b`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or unicodedata.category(c) == "Zs" else _escaped(c) for c in text)


def harmless_lines(text: str) -> str:
    """Lines for a terminal: as `harmless`, but line breaks stay."""
    return text if text.isprintable() else "\n".join(map(harmless, text.split("\n")))


def xml(text: str) -> str:
    """A text or an attribute for SVG, HTML and other XML, which cannot hold control characters at all."""
    from html import escape  # late: its table of entities takes longer to load than a list of games

    return escape(harmless(text))


def csv_row(values: Iterable[object]) -> list[object]:
    """A row for `csv.writer`. A text that a sheet would take for a formula gets an apostrophe, which sheets hide."""
    return [_csv_cell(value) if isinstance(value, str) else value for value in values]


def _csv_cell(text: str) -> str:
    text = harmless(text)
    return f"'{text}" if _FORMULA.match(text) and not _PLAIN.fullmatch(text) else text


def pgn_tag(value: str) -> str:
    """The value of a tag: quotes and backslashes are escaped, control characters such as line breaks become blanks."""
    plain = "".join(c if c.isprintable() else " " for c in value)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def pgn_word(word: str) -> str:
    """A move among the moves. No sign ends it, or begins a comment or a tag."""
    return word if word.isalnum() and word.isascii() else _NO_PGN_WORD.sub("?", word) or "?"


def _escaped(c: str) -> str:
    return c.encode("unicode_escape").decode()


def last_words(stderr: str) -> str:
    """The last line that names an error. Without one it is the last line; empty where nothing was said.

    Python names the error at the end. Node, Java and Go print the stack and more after it, Rust its text.
    """
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    reasons = [number for number, line in enumerate(lines) if _REASON.search(line)]
    if not reasons:
        return lines[-1][:_MOST] if lines else ""
    words = lines[reasons[-1]]
    if "panicked at" in words and reasons[-1] + 1 < len(lines):
        words += f" {lines[reasons[-1] + 1]}"
    return words[:_MOST]
