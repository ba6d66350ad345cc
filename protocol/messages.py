"""The messages of an engine, as frozen values. `protocol.grammar` parses them.

Moves and positions are text.
"""

from dataclasses import dataclass
from typing import Literal

from protocol.commands import integer

OPTION_TYPES = ("check", "spin", "combo", "button", "string")


@dataclass(frozen=True, slots=True)
class Id:
    """`id name Foo`: `key` is `name`, `author` or `version`."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class OptionLine:
    """`option name ...`: an option of the engine. `problems` are the violations of SPEC.md in the line."""

    name: str
    type: str
    """One of OPTION_TYPES, or the unknown type as written; empty if the line has none."""
    default: str | None = None
    """None if the line has none. The text `<empty>` becomes the empty string."""
    min: int | None = None
    max: int | None = None
    choices: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def refuses(self, value: str) -> str | None:
        """One sentence that says why the option cannot take `value`, None if it can."""
        if self.type == "button" and value not in ("", "true", "false"):
            return (
                f"option {self.name} is a button: true or an empty value presses it, false does not, and not {value!r}"
            )
        if self.type == "check" and value not in ("true", "false"):
            return f"option {self.name} takes true or false, not {value!r}"
        if self.type == "combo" and value not in self.choices:
            return f"option {self.name} takes one of {', '.join(self.choices)}, not {value!r}"
        if self.type == "spin":
            number = integer(value)
            if number is None:
                return f"option {self.name} takes a whole number, not {value!r}"
            if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
                return f"option {self.name} takes {self.min} to {self.max}, not {value}"
        return None


@dataclass(frozen=True, slots=True)
class UgiOk:
    """`ugiok`: the end of the handshake."""


@dataclass(frozen=True, slots=True)
class ReadyOk:
    """`readyok`: the engine has handled everything that was sent before the `isready`."""


@dataclass(frozen=True, slots=True)
class Score:
    """A score from the mover's side: `cp` in hundredths of a piece or stone, `mate` in plies, negative for a loss."""

    kind: Literal["cp", "mate"]
    value: int
    bound: Literal["lowerbound", "upperbound"] | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.value}" + (f" {self.bound}" if self.bound else "")


@dataclass(frozen=True, slots=True)
class Info:
    """`info ...`: the state of a search. A missing or unreadable field is None; `problems` name the unreadable ones."""

    depth: int | None = None
    seldepth: int | None = None
    time_ms: int | None = None
    nodes: int | None = None
    hashfull: int | None = None
    nps: int | None = None
    multipv: int | None = None
    score: Score | None = None
    pv: tuple[str, ...] = ()
    string: str | None = None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BestMove:
    """`bestmove d1d3` or `bestmove d1d3 ponder d7d6`. `word` is in lower case."""

    word: str
    ponder: str | None = None


@dataclass(frozen=True, slots=True)
class MalformedBestMove:
    """`bestmove` followed by neither a word nor `word ponder word`. `why` is a clause for a sentence."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """`offer draw`: the next bestmove comes with a draw offer."""


@dataclass(frozen=True, slots=True)
class Response:
    """`response ...`: the answer to a query."""

    text: str


@dataclass(frozen=True, slots=True)
class ErrorLine:
    """`error ...`: an error report of the engine. It is counted and never a loss."""

    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any other line, also a blank one. `why` is a clause if the line starts like a known one."""

    text: str
    why: str = ""


Message = (
    Id | OptionLine | UgiOk | ReadyOk | Info | BestMove | MalformedBestMove | OfferDraw | Response | ErrorLine | Unknown
)
