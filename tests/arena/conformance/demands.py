"""Which check tests which demand of SPEC.md: every MUST and SHOULD of the text, and the rules of appendix A.

Owns the table. A demand is quoted by a few words of its clause, so a clause that changes makes the test of this table
fail until somebody has looked at its checks again. Independent of what a check does.
"""

from typing import Literal, NamedTuple

Force = Literal["MUST", "SHOULD", "rule"]
"""`rule` is a plain statement, which the demands of 5.x, 6.1, 8.2, 9.6 and 9.7 refer to. It counts as a MUST."""


class Demand(NamedTuple):
    """One demand of SPEC.md and the checks that test it."""

    clause: str
    words: str
    """The words of the clause, as they stand there but for line breaks."""
    checks: tuple[str, ...] = ()
    why_not: str = ""
    """Why no check tests it. No MUST and no rule has this."""

    @property
    def force(self) -> Force:
        """What its words demand."""
        return "MUST" if "MUST" in self.words else "SHOULD" if "SHOULD" in self.words else "rule"


def _row(clause: str, words: str, checks: str = "", why_not: str = "") -> Demand:
    return Demand(clause, words, tuple(checks.split()), why_not)


_RULES = "F2 F4 F10"
DEMANDS: tuple[Demand, ...] = (
    _row("2.1", "SHOULD NOT need a particular working directory", "A11"),
    _row("2.1", "SHOULD NOT write files there", "K9"),
    _row("2.1", "MUST be able to run at once", "J5"),
    _row("2.2", "MUST accept `\\r\\n`", "B2"),
    _row("2.3", "MUST accept tabs and repeated, leading and trailing blanks", "B6 B9"),
    _row("2.3", "MUST ignore blank lines", "B5"),
    _row("2.3", "it MUST survive", "B7 B8 B10"),
    _row("2.4", "MUST cut its input at `\\n` and nowhere else", "B3 B4"),
    _row("2.4", "MUST take lines of at least 16 KiB", "B9 B10 E12"),
    _row("2.5", "MUST NOT be longer than 64 KiB", "B15"),
    _row("2.5", "MUST NOT write more than 16 MiB", "B15"),
    _row("2.6", "SHOULD be lines of this protocol and nothing else", "A6 B11 B12"),
    _row("2.7", "MUST send each line as soon as it is complete", "B1"),
    _row("2.7", "SHOULD send a line in one write", why_not="the reader of a pipe cannot see it (12.2)"),
    _row("2.7", "MUST NOT mix two lines", "B12"),
    _row("2.8", "SHOULD NOT write more than 64 KiB", "B13"),
    _row("2.9", "MUST always be able to read its input", "D3 G4"),
    _row("2.9", "MUST NOT do anything without having been told to", "D4 G25"),
    _row("3.1", "MUST wait for it", "A1"),
    _row("3.1", "MUST answer with its lines", "A3"),
    _row("3.2", "SHOULD be given, each exactly once", "A4 A5"),
    _row("3.3", "MUST be announced as", "C1"),
    _row("3.3", "A default SHOULD be a value that the option takes", "C2"),
    _row("3.3", "MUST differ in more than letter case", "C3"),
    _row("3.4", "SHOULD say nothing else", "A2 A7"),
    _row("3.5", "SHOULD answer a second `ugi`", "A8"),
    _row("4.1", "MUST take NAME in any letter case", "C7"),
    _row("4.1", "MUST NOT answer", "C8"),
    _row("4.2", "MUST accept them at each of these times", "C4 C5 C11"),
    _row("4.3", "MUST stay alive", "C6"),
    _row("4.3", "SHOULD leave the option as it was", "C6"),
    _row("4.4", "MUST be false by default", "C12"),
    _row("4.5", "MUST NOT do what a check that has been set to `false` stands for", "I5"),
    _row("4.6", "MUST play the variant last set, its default before that", "C9 J4"),
    _row("4.6", "MUST be able to change between games", "C9 C11 J4"),
    _row("4.6", "MUST NOT change each other", "C10"),
    _row("5.2", "The sides take turns without exception", "F1 E2"),
    _row("5.4", "**A move is one word**", "G23"),
    _row("5.4", "SHOULD send them so", "G23"),
    _row("5.5", "**A position string** is a board, a side and a turn number", "E3 F6 F10"),
    _row("5.6", "The side is `p1` or `p2`, the side to move", "E3"),
    _row("5.6", "it may be left out and is then 1", "E3 F10"),
    _row("5.7", "any number of men", "F2 F10"),
    _row("5.7", "`callanish` takes the board that the string draws", "F2 G2 F10"),
    _row("5.8", "MUST follow that text", "F2 F4 F10 G2"),
    _row("6.1", "MUST play on from the position that it was given", "E1 E2 E3 E4 E13"),
    _row("6.2", "MUST NOT take it as an addition", "E6 E7 E8"),
    _row("6.3", "SHOULD accept `moves` with nothing after it", "E5"),
    _row("6.4", "it MUST answer `readyok`, once for each", "D1 D2"),
    _row("6.4", "SHOULD NOT search before `go`", "D6"),
    _row("6.4", "Answers MUST come in the order of the questions", "B4 D5"),
    _row("6.5", "MUST also answer `isready` during a search", "D3"),
    _row("6.5", "MUST NOT end the search because of it", "D3"),
    _row("6.6", "MUST forget everything about the last one", "J1 J2"),
    _row("6.7", "SHOULD say `error TEXT`", "E14"),
    _row("6.7", "it MUST stay alive", "E9 E10 E11"),
    _row("6.7", "MUST still answer `isready`", "E9 E10 E11"),
    _row("6.7", "it SHOULD be the variant's start", "E15"),
    _row("7.1", "MUST live", "G13 G19"),
    _row("7.1", "SHOULD answer with a legal move soon", why_not="there is no figure for it, and no game asks it"),
    _row("7.2", "MUST survive it", "G20 G21"),
    _row("7.3", "MUST use its own", "G11"),
    _row("7.3", "SHOULD take them in any order", "G12"),
    _row("7.3", "SHOULD skip words that it does not know", "G12"),
    _row("7.4", "MUST answer in time", "G8 G9 G10 G27 G28"),
    _row("7.4", "SHOULD NOT plan to use it", "G8"),
    _row("7.4", "MUST keep a clock of 0.1 s for 20 moves", "G27"),
    _row("7.5", "MUST also keep this time", "G26"),
    _row("7.5", "MUST NOT have spent all of it before the last of these moves", "G26"),
    _row("7.7", "SHOULD end after N nodes or N plies", "G14 G15"),
    _row("7.8", "SHOULD NOT send its bestmove before", "G5"),
    _row("8.1", "MUST end with `bestmove MOVE`, exactly one for each `go`, and nothing after it", "G1 G3"),
    _row("8.2", "MUST be a legal move in the grammar", "E1 E2 G2 G16 G17 G18 G23"),
    _row("8.4", "SHOULD be in lower case", "G23"),
    _row("8.6", "MUST NOT answer so in a position that goes on", "I1"),
    _row("8.7", "MUST NOT resign", "I2"),
    _row("8.8", "MUST NOT say it elsewhere", "I3"),
    _row("8.9", "SHOULD answer `bestmove 0000`", "G22"),
    _row("8.9", "MUST stay alive", "G22"),
    _row("9.1", "SHOULD send one with `depth`, `score`, `nodes` and `time`", "H7 H9"),
    _row("9.2", "These words SHOULD mean what the table says", "H2 H3 H4 H11"),
    _row("9.2", "All numbers SHOULD be integers", "H1"),
    _row("9.3", "SHOULD be legal from the searched position", "H5 H6"),
    _row("9.6", "SHOULD answer UGI's three", "F11"),
    _row("9.6", "MUST be right by", "F1 F2"),
    _row("9.7", "it MUST answer, and rightly", "F4 F5 F6 F7"),
    _row("9.7", "MUST answer with nothing or with `error TEXT`", "F9"),
    _row("9.7", "MUST NOT change what a search finds", "F8"),
    _row("9.10", "MUST NOT answer", "I4"),
    _row("10.5", "SHOULD send `stop`", why_not="it is for other runners, not for engines"),
    _row("13.1", "SHOULD announce", why_not="J2 is skipped where an engine differs and has no Seed"),
    _row("13.1", "range MUST hold these", "C13"),
    _row("13.2", "SHOULD play the same move", "J2"),
    _row("14.1", "MUST send its `bestmove` as soon as it can", "G4 G6"),
    _row("14.1", "MUST ignore `stop`", "G7"),
    _row("14.2", "MUST exit within the deadline", "A10 K1 K2"),
    _row("14.2", "SHOULD exit with status 0", "K1"),
    _row("14.3", "MUST exit, at once", "K3"),
    _row("14.4", "MUST NOT go on for ever", "K4"),
    _row("14.4", "it SHOULD exit", "K4"),
    _row("14.5", "SHOULD be started with `exec`", "K6"),
    _row("A.1", "MUST follow all of them", "F1 F2 F4 F5 F6 F7 F10 G2"),
    _row("A.2", "a stack is at most two high; its top stone controls the square", f"{_RULES} F6"),
    _row("A.3", "The first turn of each side is a placement", _RULES),
    _row("A.4", "Each later turn takes one exposed stone", f"{_RULES} F5"),
    _row("A.4", "unless the knob `supply=N` sets one", "C10 F10"),
    _row("A.5", "half the number of its squares, rounded up", _RULES),
    _row("A.6", "if the *opponent* controls at least the need of any line", _RULES),
    _row("A.6", "if the opponent now has no complete turn, he has lost", _RULES),
    _row("A.7", "is already won by that side", "F2"),
    _row("A.8", "`callanish-corners` is 9 by 9 without", "F4"),
    _row("A.9", "All pieces move like a rook", f"{_RULES} F5"),
    _row("A.10", "A **man is captured** when an enemy moves", f"{_RULES} F6"),
    _row("A.10", "**The king is captured** likewise by two attackers", _RULES),
    _row("A.11", "The knobs:", "C10 F10"),
    _row("A.12", "all four neighbours of the king are attackers", _RULES),
    _row("A.13", "The king escapes: p2 wins", _RULES),
    _row("A.13", "The last occurrence of a position", "E13 F2 F10"),
    _row("A.13", "A side to move without a legal move", _RULES),
    _row("A.14", "The variants; knobs not named are as in `scottish`", "E1 F4"),
    _row("A.15", "Numbers of move sequences of exactly that length", "F5"),
    _row("A.17", "Only a piece that stands in a camp may stop on squares of that camp", _RULES),
    _row("A.18", "Then all of these enemies are captured but a king", f"{_RULES} F6"),
    _row("A.19", "neither the king nor a defender can be reached from the edge", _RULES),
    _row("A.20", "the king stands on an edge square and a square next to him is empty", _RULES),
    _row("A.22", "A move of p2 is illegal if the board after it", "F10"),
)


def of_check(check: str) -> tuple[Demand, ...]:
    """The demands that a check tests."""
    return tuple(demand for demand in DEMANDS if check in demand.checks)
