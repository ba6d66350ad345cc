"""An engine's output in one search: infos, draw offers and unusual lines, then the move of its bestmove.

Owns which info counts, when a draw is offered and what is noted (SPEC.md chapters 8, 9 and 12). A note is a word for a
harmless deviation. Independent of pipes, time and deadlines.
"""

import re
from collections import Counter
from typing import Final

from protocol import grammar, messages
from protocol.faults import EngineFault, Fault
from protocol.messages import BestMove, Info, MalformedBestMove, Message, OfferDraw, Unknown

_UNSOLICITED: Final[dict[type, str]] = {
    messages.ErrorLine: "error",
    Info: "stray-info",
    messages.ReadyOk: "stray-readyok",
    messages.Response: "stray-response",
    OfferDraw: "stray-offer",
    messages.Id: "stray-handshake",
    messages.OptionLine: "stray-handshake",
    messages.UgiOk: "stray-handshake",
}


_FRACTIONAL_CP: Final = re.compile(rb" score +cp +-?[0-9]{1,15}\.[0-9]").search


class SearchReply:
    """The reply to one `go`, line by line. Each note is also counted in `counts`."""

    def __init__(self, may_offer: bool, counts: Counter[str]) -> None:
        self.draw_offered = False
        """True while a draw offer is valid."""
        self.notes: list[str] = []
        """The notes, each word once, so that an engine cannot make the list long."""
        self._may_offer = may_offer
        self._counts = counts
        self._last_scored_info: bytes | None = None
        self._last_info: bytes | None = None

    @property
    def info(self) -> bytes | None:
        """The last info with a score for the first line of play and, if it is another one, the last info."""
        if self._last_scored_info is None or self._last_scored_info is self._last_info:
            return self._last_info
        return self._last_scored_info + b"\n" + (self._last_info or b"")

    def add_line(self, line: bytes) -> bool:
        """Add a line. True if it is the bestmove."""
        if line.startswith(b"info "):
            self.draw_offered = False
            if b" score " in line:
                # A score of another line of play says nothing about the move.
                if b" multipv " not in line or b" multipv 1 " in line:
                    self._last_scored_info = self._last_info = line
                    if b"." in line and _FRACTIONAL_CP(line):
                        self._note("fractional-score")
            elif not line.startswith(b"info string "):
                self._last_info = line
            return False
        message = grammar.parse(line)
        if isinstance(message, BestMove | MalformedBestMove):
            return True
        if isinstance(message, Unknown) and message.why == "blank line":
            # It does not end a draw offer.
            self._note("blank-line")
            return False
        self.draw_offered = isinstance(message, OfferDraw) and self._may_offer
        if isinstance(message, OfferDraw):
            if not self._may_offer:
                self._note("unannounced-offer")
        elif not isinstance(message, Info):
            self._note(unsolicited(message, "unknown-line"))
        return False

    def move_word(self, line: bytes) -> str:
        """The move of the bestmove line, in lower case. Raises EngineFault if it is malformed."""
        message = grammar.parse(line)
        if not isinstance(message, BestMove):
            why = message.why if isinstance(message, MalformedBestMove) else "is no bestmove"
            raise EngineFault(Fault.MALFORMED_MOVE, f"the bestmove {why}: {quote(line)}")
        if message.upper:
            self._note("upper-case")
        if line.endswith(b"\r"):
            self._note("crlf")
        elif not line.startswith(b"bestmove ") or line != grammar.clean(line):
            self._note("blanks-or-odd-bytes")
        return message.word

    def _note(self, word: str) -> None:
        self._counts[word] += 1
        if word not in self.notes:
            self.notes.append(word)


def unsolicited(message: Message, unknown: str) -> str:
    """The note for an unsolicited line; `unknown` for a line without a meaning."""
    if isinstance(message, Unknown) and message.why == "blank line":
        return "blank-line"
    return _UNSOLICITED.get(type(message), unknown)


def spelling(line: bytes, exact: bytes) -> str:
    """The note for the spelling of `line`, which means `exact`; empty if they are equal."""
    if line == exact:
        return ""
    return "crlf" if line == exact + b"\r" else "blanks-or-odd-bytes"


def quote(data: bytes) -> str:
    """The start of a line, for a sentence."""
    text = data[:80].decode("ascii", "backslashreplace").strip()
    return f"'{text}{'...' if len(data) > 80 else ''}'"
