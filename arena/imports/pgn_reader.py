"""Reads PGN: tags and move words, with their lines. `results.export` writes it.

`import_readers` says what the tags mean and which are needed.

Owns the notation of the file: comments, variations, annotations and move numbers are skipped. Independent of the rules:
a move is any word, and whoever has the rules plays it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


class BadPgn(ValueError):
    """Text that cannot be read as PGN. The sentence begins with the line's number."""

    def __init__(self, line_number: int, problem: str) -> None:
        super().__init__(f"line {line_number}: {problem}")
        self.line_number = line_number
        self.problem = problem


@dataclass(frozen=True, slots=True)
class PgnGame:
    """One game as it is written down."""

    tags: Mapping[str, str]
    moves: tuple[str, ...]
    """The words of the main line, as they are spelt."""
    line_number: int
    """The line on which the game begins, from 1."""
    lines: tuple[int, ...]
    """The line of each move."""
    result: str | None
    """The word that ended the moves: `1-0`, `0-1`, `1/2-1/2`, `*`; None where there is none."""
    text: str
    """The game up to its result, comments included."""


_TOKEN = re.compile(
    r"""
    (?P<blank> (?: \s+ | ^%[^\n]* | ;[^\n]* | \{[^}]*\} | \$[0-9]+ | [!?]+ )++ )
    | \[ \s* (?P<tag> \w+ ) \s+ "(?P<value> (?: [^"\\\n]++ | \\[^\n] )*+ )" \s* \]
    | (?P<bracket> [()] )
    | (?P<result> 1-0 | 0-1 | 1/2-1/2 | \* )
    | (?P<number> [0-9]+ (?: \.+ | \b ) )
    | (?P<word> [A-Za-z][A-Za-z0-9]*+ (?: [-=] [A-Za-z0-9]++ )*+ [+\#]*+ )
    """,
    re.VERBOSE | re.MULTILINE,
)
# Possessive repeats: what takes many megabytes takes no memory for ways back into it.
_ESCAPED = re.compile(r"\\(.)")
MOST_MOVES = 100_000
"""A game has at most so many moves."""
MOST_TAGS = 1_000
_MOST_DIGITS = 9
LONGEST = {"word": 1_000, "value": 100_000}
"""So many characters a move, and the value of a tag, have at most."""
_LONGEST_QUOTE = 30
"""A message quotes at most this many characters of the text."""
NO_VARIANT = 'the game has no tag Variant: write [Variant "..."] as arena variants lists it'
_SPELT = {name.lower(): name for name in ("FEN", "Variant")}
"""Tags without which a game is another game."""
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
UNCLOSED = "a variation begins here and is never closed; add its ')'"


@dataclass(slots=True)
class _Draft:
    """The game that is being read."""

    start: int
    line_number: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    number: int | None = None
    """The last number before a move."""

    def tag(self, line: int, name: str, value: str) -> None:
        """Take up a tag. Raises BadPgn for one that would be lost."""
        if name in self.tags:
            raise BadPgn(
                line, f"the tag {name} is in this game already; take one out, or end the game before it with *"
            )
        if (spelt := _SPELT.get(name.lower(), name)) != name:
            raise BadPgn(line, f"there is no tag {name}; write {spelt}")
        self.tags[name] = _ESCAPED.sub(r"\1", value)

    def turn(self, line: int, text: str) -> None:
        """Take up a number before a move. Raises BadPgn where it belongs to another game."""
        digits, dots = text.rstrip("."), text.count(".")
        number = int(digits[-_MOST_DIGITS:])
        if self.number is None and number != 1 and "FEN" not in self.tags:
            raise BadPgn(line, f"the game begins with move {digits}; begin with move 1, or write the tag FEN")
        if self.number is not None and number < self.number + (dots < 2):
            raise BadPgn(line, f"move {digits} comes after move {self.number}; end the game before it with *")
        self.number = number

    def done(self, result: str | None, text: str) -> PgnGame:
        """The game. Raises BadPgn where its position is missing."""
        if self.tags.get("SetUp") == "1" and "FEN" not in self.tags:
            raise BadPgn(
                self.line_number, "the game has a tag SetUp and no tag FEN; add the position, or take SetUp out"
            )
        return PgnGame(self.tags, tuple(self.moves), self.line_number, tuple(self.lines), result, text)


def read(text: str) -> Iterator[PgnGame]:
    """The games of a PGN text, one after the other. Raises BadPgn where it comes to what it cannot read.

    A game ends with its result, or where the tags of another one begin after a blank line. What could also be the slip
    of a pen, such as a tag that comes twice, ends no game.
    """
    draft: _Draft | None = None
    variations: list[int] = []  # the lines on which the variations around this place begin
    at, line, blank = (1 if text.startswith("\ufeff") else 0), 1, ""
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            if draft is not None and draft.tags and draft.moves and "Variant" not in draft.tags:
                raise BadPgn(line, NO_VARIANT)  # most likely a game of chess
            raise BadPgn(line, _problem(text[at:]))
        kind = token.lastgroup
        if variations and kind == "value":
            raise BadPgn(variations[-1], UNCLOSED)
        if kind == "bracket":
            if token["bracket"] == "(":
                variations.append(line)
            elif variations:
                variations.pop()
            else:
                raise BadPgn(line, "')' closes no variation")
        elif kind != "blank" and not variations:
            if draft is not None and kind == "value" and draft.moves:
                if not _BLANK_LINE.search(blank):
                    where = "if another game begins here, end the one before it with *"
                    raise BadPgn(line, f"the tag {token['tag']} comes after moves; {where}")
                yield draft.done(None, text[draft.start : at])
                draft = None
            draft = draft or _Draft(at, line)
            if kind in LONGEST and len(token[kind]) > LONGEST[kind]:
                raise BadPgn(line, f"{_quoted(token[kind])} has more than {LONGEST[kind]} characters; shorten it")
            if len(draft.moves) == MOST_MOVES or len(draft.tags) > MOST_TAGS:
                raise BadPgn(line, f"the game has more than {MOST_MOVES} moves or {MOST_TAGS} tags; take it out")
            if kind == "value":
                draft.tag(line, token["tag"], token["value"])
            elif kind == "number":
                draft.turn(line, token["number"])
            elif kind == "word":
                draft.moves.append(token["word"])
                draft.lines.append(line)
            elif kind == "result":
                yield draft.done(token["result"], text[draft.start : at])
                draft = None
        blank = token[0] if kind == "blank" else ""
        line += text.count("\n", at, token.end())
        at = token.end()
    if variations:
        raise BadPgn(variations[-1], UNCLOSED)
    if draft is not None:
        yield draft.done(None, text[draft.start : at])


def _problem(rest: str) -> str:
    match rest[0]:
        case "{":
            return "a comment begins here and is never closed; add its '}'"
        case "[":
            return f'{_quoted(rest)} is not a tag; write [Name "value"] on one line'
        case _:
            return f"{_quoted(rest.split(maxsplit=1)[0])} is neither a move nor a part of PGN; take it out"


def _quoted(text: str) -> str:
    first = text.splitlines()[0]
    return repr(first if len(first) <= _LONGEST_QUOTE else first[: _LONGEST_QUOTE - 3] + "...")
