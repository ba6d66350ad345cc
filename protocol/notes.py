"""The words of SPEC.md chapter 12 under which a session counts what costs an engine nothing.

Owns which word a line gets that nobody asked for, or that is not spelt as it should be. Refuses to know who may speak.
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


def unasked(message: Message, unknown: str) -> str:
    """The word for a line that nobody asked for; `unknown` for one that means nothing."""
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
    """The word for `line`, which means `exact`; empty where it is just that."""
    if line == exact:
        return ""
    return "crlf" if line == exact + b"\r" else "blanks-or-odd-bytes"
