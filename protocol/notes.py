"""The words of SPEC.md chapter 12, under which a session counts harmless deviations.

Owns the words for unsolicited lines and for unusual spelling. Independent of the order of the dialogue.
"""

from protocol.messages import (
    ErrorLine,
    Id,
    Info,
    Message,
    OfferDraw,
    OptionLine,
    ReadyOk,
    Response,
    UgiOk,
    Unknown,
)


def unsolicited(message: Message, unknown: str) -> str:
    """The word for an unsolicited line; `unknown` for a line without a meaning."""
    match message:
        case Unknown(why="blank line"):
            return "blank-line"
        case ErrorLine():
            return "error"
        case Info():
            return "stray-info"
        case ReadyOk():
            return "stray-readyok"
        case Response():
            return "stray-response"
        case OfferDraw():
            return "stray-offer"
        case Id() | OptionLine() | UgiOk():
            return "stray-handshake"
        case _:
            return unknown


def spelling(line: bytes, exact: bytes) -> str:
    """The word for the spelling of `line`, which means `exact`; empty if they are equal."""
    if line == exact:
        return ""
    return "crlf" if line == exact + b"\r" else "blanks-or-odd-bytes"
