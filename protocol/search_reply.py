"""What an engine says from `go` to its `bestmove`."""

from protocol import grammar
from protocol.faults import EngineFault, Fault
from protocol.messages import BestMove, MalformedBestMove, OfferDraw, Unknown


class SearchReply:
    """The lines of the reply to one `go`."""

    def __init__(self, may_offer: bool) -> None:
        self.draw_offered = False
        """True while a draw offer is valid."""
        self._may_offer = may_offer
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
            elif not line.startswith(b"info string "):
                self._last_info = line
            return False
        message = grammar.parse(line)
        if isinstance(message, BestMove | MalformedBestMove):
            return True
        if not (isinstance(message, Unknown) and message.why == "blank line"):  # which does not end a draw offer
            self.draw_offered = isinstance(message, OfferDraw) and self._may_offer
        return False


def move_word(line: bytes) -> str:
    """The move of a bestmove line, in lower case. Raises EngineFault if it is malformed."""
    word = line[9:]
    if line.startswith(b"bestmove ") and word.islower() and word.isalnum():
        return word.decode()  # as nearly all engines write it
    message = grammar.parse(line)
    if isinstance(message, BestMove):
        return message.word
    why = message.why if isinstance(message, MalformedBestMove) else "is no bestmove"
    raise EngineFault(Fault.MALFORMED_MOVE, f"the bestmove {why}: {quote(line)}")


def quote(data: bytes) -> str:
    """The start of a line, for a sentence."""
    text = data[:80].decode("ascii", "backslashreplace").strip()
    return f"'{text}{'...' if len(data) > 80 else ''}'"
