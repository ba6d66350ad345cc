"""What an engine can say, as frozen values. Owns their shapes; refuses to know how they are spelt (`protocol.grammar`).

Moves and positions are text here: no value in this file knows a rule of any game.
"""

from dataclasses import dataclass
from typing import Literal

OPTION_TYPES = ("check", "spin", "combo", "button", "string")


@dataclass(frozen=True, slots=True)
class Id:
    """`id name Foo`: `key` is `name`, `author` or `version`."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class OptionLine:
    """`option name ...`: something that the engine lets be set. `problems` say where the line departs from SPEC.md."""

    name: str
    type: str
    """One of OPTION_TYPES; empty where the line has none, whatever it says where it is unknown."""
    default: str | None = None
    """None where the line has none; the text `<empty>` becomes the empty string."""
    min: int | None = None
    max: int | None = None
    choices: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def refuses(self, value: str) -> str | None:
        """One sentence saying why the option cannot take `value`, None where it can."""
        if self.type == "check" and value not in ("true", "false"):
            return f"option {self.name} takes true or false, not {value!r}"
        if self.type == "combo" and value not in self.choices:
            return f"option {self.name} takes one of {', '.join(self.choices)}, not {value!r}"
        if self.type == "spin":
            digits = value.removeprefix("-")
            if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
                return f"option {self.name} takes a whole number, not {value!r}"
            if (self.min is not None and int(value) < self.min) or (self.max is not None and int(value) > self.max):
                return f"option {self.name} takes {self.min} to {self.max}, not {value}"
        return None


@dataclass(frozen=True, slots=True)
class UgiOk:
    """`ugiok`: the end of the handshake."""


@dataclass(frozen=True, slots=True)
class ReadyOk:
    """`readyok`: everything sent before the `isready` has been dealt with."""


@dataclass(frozen=True, slots=True)
class Score:
    """From the mover's side: `cp` in hundredths of a piece or stone, `mate` in plies, negative when being mated."""

    kind: Literal["cp", "mate"]
    value: int
    bound: Literal["lowerbound", "upperbound"] | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.value}" + (f" {self.bound}" if self.bound else "")


@dataclass(frozen=True, slots=True)
class Info:
    """`info ...`: how a search goes. A field is None where it was not said or not readable; `problems` say which."""

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
    """`bestmove d1d3`, also `bestmove d1d3 ponder d7d6`. `word` is in lower case; `upper`: it was not."""

    word: str
    ponder: str | None = None
    upper: bool = False


@dataclass(frozen=True, slots=True)
class MalformedBestMove:
    """`bestmove` followed by something that is neither a word nor `word ponder word`. `why` is a clause."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """`offer draw`: the bestmove that follows comes with an offer."""


@dataclass(frozen=True, slots=True)
class Response:
    """`response ...`: the answer to a query."""

    text: str


@dataclass(frozen=True, slots=True)
class ErrorLine:
    """`error ...`: a complaint of the engine, counted and never a loss."""

    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any other line, blank ones included. `why` is a clause where the line began like a known one."""

    text: str
    why: str = ""


Message = (
    Id | OptionLine | UgiOk | ReadyOk | Info | BestMove | MalformedBestMove | OfferDraw | Response | ErrorLine | Unknown
)
