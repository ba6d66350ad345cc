"""What an engine says in one search: its infos, offers and untidy lines, then the word of its bestmove.

Owns which info counts, when a draw is offered and what is noted (SPEC.md chapters 8, 9 and 12). Refuses to know pipes,
time and deadlines.
"""

from collections import Counter

from protocol import grammar, notes
from protocol.faults import EngineFault, Fault
from protocol.messages import BestMove, Info, MalformedBestMove, OfferDraw, Unknown


class SearchReply:
    """One search, line by line. What is noted is counted in `counted` too."""

    def __init__(self, may_offer: bool, counted: Counter[str]) -> None:
        self.offered = False
        """Does a draw offer stand?"""
        self.noted: list[str] = []
        """Each word once: an engine must not be able to fill it."""
        self._may_offer = may_offer
        self._counted = counted
        self._scored: bytes | None = None
        self._last: bytes | None = None

    @property
    def info(self) -> bytes | None:
        """The last info with a score of the first line and, where it is another, the last info."""
        if self._scored is None or self._scored is self._last:
            return self._last
        return self._scored + b"\n" + (self._last or b"")

    def ends(self, line: bytes) -> bool:
        """Take the line in. Is it the bestmove?"""
        if line.startswith(b"bestmove "):
            return True
        if line.startswith(b"info "):
            self.offered = False
            if b" score " in line and (b" multipv " not in line or b" multipv 1 " in line):
                self._scored = self._last = line
            elif not line.startswith(b"info string "):
                self._last = line
            return False
        message = grammar.parse(line)
        if isinstance(message, BestMove | MalformedBestMove):
            return True
        if isinstance(message, Unknown) and message.why == "blank line":
            self._note("blank-line")
            return False
        self.offered = isinstance(message, OfferDraw) and self._may_offer
        if isinstance(message, OfferDraw):
            if not self._may_offer:
                self._note("unannounced-offer")
        elif not isinstance(message, Info):
            self._note(notes.unasked(message, "unknown-line"))
        return False

    def word(self, line: bytes) -> str:
        """The word of the bestmove, in lower case. Raises EngineFault where it has none."""
        word = line[9:]
        if word.islower() and word.isalnum() and line.startswith(b"bestmove "):
            return word.decode()
        message = grammar.parse(line)
        if not isinstance(message, BestMove):
            why = message.why if isinstance(message, MalformedBestMove) else "is no bestmove"
            raise EngineFault(Fault.MALFORMED_MOVE, f"the bestmove {why}: {shown(line)}")
        if message.upper:
            self._note("upper-case")
        if line.endswith(b"\r"):
            self._note("crlf")
        elif not line.startswith(b"bestmove ") or line != grammar.clean(line):
            self._note("blanks-or-odd-bytes")
        return message.word

    def _note(self, word: str) -> None:
        self._counted[word] += 1
        if word not in self.noted:
            self.noted.append(word)


def shown(data: bytes) -> str:
    """The start of a line, for a sentence."""
    text = data[:80].decode("ascii", "backslashreplace").strip()
    return f"'{text}{'...' if len(data) > 80 else ''}'"
