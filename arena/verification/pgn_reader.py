"""Reads PGN: tags and move words, with the line each stands on. Writing it is `results.export`'s.

Owns the notation of the file alone: comments, variations, annotations and move numbers are skipped. Refuses to know
what a move means; a word is what looks like one, and whoever has the rules plays it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


class BadPgn(ValueError):
    """Text that is no PGN of ours, said in one sentence that begins with the line's number."""


@dataclass(frozen=True, slots=True)
class PgnGame:
    """One game as it is written down."""

    tags: Mapping[str, str]
    moves: tuple[str, ...]
    """The words of the main line, as they are spelt."""
    line_number: int
    """Where the game begins, from 1."""
    lines: tuple[int, ...]
    """On which line each move stands."""
    result: str | None
    """The word that ended the moves: `1-0`, `0-1`, `1/2-1/2`, `*`; None where there is none."""


_TOKEN = re.compile(
    r"""
    (?P<blank> \s+ | ^%[^\n]* | ;[^\n]* | \{[^}]*\} | \$[0-9]+ | [!?]+ )
    | \[ \s* (?P<tag> \w+ ) \s+ "(?P<value> (?: [^"\\\n] | \\[^\n] )* )" \s* \]
    | (?P<bracket> [()] )
    | (?P<result> 1-0 | 0-1 | 1/2-1/2 | \* )
    | (?P<number> [0-9]+ (?: \.+ | \b ) )
    | (?P<word> [A-Za-z][A-Za-z0-9]* )
    """,
    re.VERBOSE | re.MULTILINE,
)
_ESCAPED = re.compile(r"\\(.)")
_SHOWN = 30


@dataclass(slots=True)
class _Sheet:
    """The game that is being read."""

    line_number: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def done(self, result: str | None) -> PgnGame:
        return PgnGame(self.tags, tuple(self.moves), self.line_number, tuple(self.lines), result)


def read(text: str) -> Iterator[PgnGame]:
    """The games of a PGN text, one after the other. Raises BadPgn where it comes to what it cannot read.

    A game ends with its result, or where the tags of another one begin.
    """
    sheet: _Sheet | None = None
    opened: list[int] = []  # lines of the variations that we are in
    at, line = (1 if text.startswith("\ufeff") else 0), 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise BadPgn(f"line {line}: {_refusal(text[at:])}")
        kind = found.lastgroup
        if opened and kind == "value":
            raise _never_closed(opened)
        if kind == "bracket":
            if found["bracket"] == "(":
                opened.append(line)
            elif opened:
                opened.pop()
            else:
                raise BadPgn(f"line {line}: ')' closes no variation")
        elif kind != "blank" and not opened:
            if sheet is not None and kind == "value" and (sheet.moves or found["tag"] in sheet.tags):
                yield sheet.done(None)
                sheet = None
            sheet = sheet or _Sheet(line)
            if kind == "value":
                sheet.tags[found["tag"]] = _ESCAPED.sub(r"\1", found["value"])
            elif kind == "word":
                sheet.moves.append(found["word"])
                sheet.lines.append(line)
            elif kind == "result":
                yield sheet.done(found["result"])
                sheet = None
        line += text.count("\n", at, found.end())
        at = found.end()
    if opened:
        raise _never_closed(opened)
    if sheet is not None:
        yield sheet.done(None)


def _never_closed(opened: list[int]) -> BadPgn:
    return BadPgn(f"line {opened[-1]}: a variation begins here and is never closed; add its ')'")


def _refusal(rest: str) -> str:
    match rest[0]:
        case "{":
            return "a comment begins here and is never closed; add its '}'"
        case "[":
            return f'{_shown(rest)} is no tag; write [Name "value"] on one line'
        case _:
            return f"{_shown(rest.split(maxsplit=1)[0])} is neither a move nor a part of PGN; take it out"


def _shown(text: str) -> str:
    first = text.splitlines()[0]
    return repr(first if len(first) <= _SHOWN else first[: _SHOWN - 3] + "...")
