"""Which fault of the zoo breaks which conformance check: the matrix, and its page of the manual.

`python -m engines.zoo.conformance_matrix` prints docs/authors/CHECKS.md, but for the table of mutants at its end.
"""

from typing import NamedTuple

from engines.zoo.catalogue import FAULTS, sentence
from protocol.conformance.catalogue import CHECKS, GROUPS, SMOKE
from protocol.conformance.check import Check, Grade, Severity, Verdict
from protocol.conformance.demands import DEMANDS
from protocol.conformance.profiles import PROFILES

VARIANT = "scottish"
"""The variant in which every fault shows."""


class Row(NamedTuple):
    """A fault, the check that it breaks, and the other checks that it breaks inevitably."""

    check: str
    fault: str
    """The fault's name and further arguments, as on the zoo's command line."""
    also: tuple[str, ...] = ()
    """Other checks that fail. `...` stands for all checks that use the broken feature."""
    why: str = ""
    slow: float = 1
    """The factor for the deadlines, so that a missed one does not take half a minute."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments for the zoo's command line."""
        return ("--fault", *self.fault.split())


ROWS: tuple[Row, ...] = (
    Row("A1", "exits-at-start", ("A3",), "a process that has gone says nothing"),
    Row("A2", "banner", ("B12",), "the banner is none of the protocol's lines", slow=5),
    Row("A3", "silent --at handshake", slow=0.1),
    Row("A4", "nameless"),
    Row("A5", "authorless"),
    Row("A6", "trailing-blanks"),
    Row("A7", "chatter --at handshake", ("B12",), "the line is none of the protocol's"),
    Row("A8", "greets-once"),
    Row("A9", "slow-greeting"),
    Row("A10", "needs-isready"),
    Row("A11", "needs-home"),
    Row("B1", "keeps-moves", ("...",), "hardly a check goes without a bestmove", slow=0.05),
    Row("B2", "deaf-to-crlf", slow=0.2),
    Row("B3", "takes-chunks", slow=0.2),
    Row("B4", "six-lines", ("B5", "C6", "D1", "D5", "F9"), "they say more than six lines at once", slow=0.1),
    Row("B5", "dies-of-blanks"),
    Row("B6", "splits-at-blank", ("B9",), "it fills a line with blanks", slow=0.2),
    Row("B7", "dies-of-unknown", ("B8", "B10"), "they too say what it does not know"),
    Row("B8", "dies-of-hidden"),
    Row("B9", "fixed-buffer"),
    Row("B10", "answers-tails", ("B9",), "its lines are long, too"),
    Row("B11", "non-utf8"),
    Row("B12", "chatter"),
    Row("B13", "stderr-flood --limit 1", ("B14",), "what it writes is there to be seen"),
    Row("B14", "logs"),
    Row("B15", "flood-line --limit 1", ("...",), "hardly a check goes without a bestmove"),
    Row("C1", "option-without-type"),
    Row("C2", "default-out-of-range"),
    Row("C3", "option-twice"),
    Row("C4", "dies-of-empty", ("C7", "C8"), "they set the same defaults"),
    Row("C5", "dies-of-maximum"),
    Row("C6", "dies-of-bad-value"),
    Row("C7", "cases-matter"),
    Row("C8", "echoes-options"),
    Row("C9", "first-variant-only", ("C7", "C11", "J4"), "they change the variant", slow=0.2),
    Row("C10", "ignores-rules", ("F10",), "it changes the rules, too"),
    Row("C11", "options-at-start", ("C9", "C10", "F10", "J4"), "they set options in a later game", slow=0.2),
    Row("C12", "own-book"),
    Row("C13", "small-seed"),
    Row("D1", "one-ready-a-burst", ("B4", "D5"), "they ask more than once in one write", slow=0.2),
    Row(
        "D2",
        "deaf-after-unsearched",
        ("C10", "F8", "F10"),
        "they begin another game after a position that was not searched",
        slow=0.1,
    ),
    Row("D3", "deaf-in-search"),
    Row("D4", "heartbeat"),
    Row("D5", "answers-late"),
    Row(
        "D6", "thinks-in-position --think 40", ("G26", "G27", "G28"), "what it needs for a position goes off its clock"
    ),
    Row("E1", "wrong-at-start", ("...",), "hardly a check goes without the start position"),
    Row("E2", "wrong-at-ply", ("G2", "G10", "G26", "G27", "G28"), "they come to that ply"),
    Row("E3", "ignores-side", ("...",), "many start from position strings where p2 is to move"),
    Row("E4", "ignores-moves-on-string", ("F2", "F10"), "they play on from position strings"),
    Row("E5", "dies-of-empty-moves"),
    Row("E6", "keeps-board", ("...",), "many go back to the start position"),
    Row("E7", "plays-twice", ("...",), "many search one position twice"),
    Row("E8", "no-way-back", ("...",), "many come back to an earlier position"),
    Row("E9", "dies-of-malformed", ("E10",), "a board of holes alone has no rows of squares"),
    Row("E10", "dies-without-king"),
    Row("E11", "dies-of-illegal-moves"),
    Row("E12", "short-history", ("...",), "many go to the end of the longest game"),
    Row("E13", "forgets-history", ("F2", "F4", "F10"), "they ask about the third occurrence too"),
    Row("E14", "passes-over-errors"),
    Row("E15", "keeps-the-last-board"),
    Row("F1", "turn-by-count", ("F10",), "it asks the same"),
    Row("F2", "sees-no-stalemate", ("F10",), "it asks the same"),
    Row("F3", "never-over", ("F2", "F10"), "they ask for `gameover` beside `result`"),
    Row("F4", "misses-moves", ("F10",), "it asks the same"),
    Row("F5", "miscounts", ("F10",), "it asks the same"),
    Row("F6", "never-turns", ("F10",), "it asks the same"),
    Row("F7", "all-is-legal"),
    Row("F8", "queries-change"),
    Row("F9", "waits-for-known-query", slow=0.2),
    Row("F10", "mixes-up-sides"),
    Row("F11", "answers-no-p1turn"),
    Row(
        "G1", "ignores-depth", ("G15", "G16", "K8"), "they limit the depth, and so does the ordinary session", slow=0.1
    ),
    Row("G2", "illegal-move --at mid --ply 30", ("...",), "many go so far into a game"),
    Row("G3", "two-bestmoves", ("G6", "G7", "G20", "G21", "I2", "I4"), "they count bestmoves"),
    Row("G4", "ignores-stop", ("G5", "G6", "G16"), "they stop a search"),
    Row("G5", "ends-infinite"),
    Row("G6", "loses-early-stop", ("G16",), "it stops at once"),
    Row("G7", "answers-stop", ("G6", "I2"), "they send a stop when nothing is searched"),
    Row("G8", "oversleeps"),
    Row("G9", "dies-of-short-clocks", ("G13",), "a time that is none counts as the least"),
    Row("G10", "constant-time", ("G9", "G26", "G27", "G28"), "their clocks have less than that"),
    Row("G11", "other-clock"),
    Row("G12", "fixed-order", ("G26",), "it adds `movestogo`", slow=0.1),
    Row("G13", "dies-of-bad-numbers"),
    Row("G14", "overcounts"),
    Row("G15", "depth-off-by-one"),
    Row(
        "G16",
        "silent-when-forced",
        ("G2", "G5", "G23", "H4", "I5"),
        "they come to the positions with one move",
        slow=0.1,
    ),
    Row("G17", "dies-of-wins", ("G14", "H3", "K7", "K8"), "they give enough nodes, in positions that can be won"),
    Row("G18", "avoids-repetition", ("E13", "G2", "H4"), "they come to the positions before a repetition"),
    Row("G19", "dies-of-bare-go"),
    Row("G20", "dies-of-two-goes"),
    Row("G21", "dies-of-early-position"),
    Row("G22", "dies-when-finished"),
    Row("G23", "wrong-case"),
    Row("G24", "ponder-word"),
    Row("G25", "burns-idle"),
    Row("G26", "spends-period"),
    Row("G27", "least-time", ("G28",), "its increment is less than that, too"),
    Row("G28", "slows-down", ("G10",), "its game goes past ply 60, too"),
    Row("H1", "fractional-info"),
    Row("H2", "bare-score"),
    Row("H3", "always-mates", ("H4",), "a sure win for both sides is a score that never changes its sign"),
    Row("H4", "scores-for-p1"),
    Row("H5", "illegal-tail"),
    Row("H6", "older-line"),
    Row("H7", "tells-no-nodes"),
    Row("H8", "time-since-start"),
    Row("H9", "floods-info"),
    Row("H11", "multipv-from-zero"),
    Row("I1", "resigns-unasked", ("...",), "many come to lost positions"),
    Row("I2", "resigns-early"),
    Row("I3", "offers-when-idle", ("C8", "F9"), "they watch what is said before a `readyok`"),
    Row("I4", "answers-gameover"),
    Row("I5", "resigns-anyway", ("...",), "many come to lost positions"),
    Row("J1", "late-bestmove --at first", ("...",), "many begin another game"),
    Row("J2", "keeps-generator"),
    Row("J4", "one-side", ("F10",), "it begins on either side, too"),
    Row("J5", "locks", ("G5", "J2"), "they run several at once"),
    Row("J6", "leaks"),
    Row("J7", "slow-new-game"),
    Row("K1", "exits-dirty", ("K8",), "the session ends alike"),
    Row("K2", "finishes-first"),
    Row("K3", "ignores-eof"),
    Row("K4", "talks-to-nobody"),
    Row("K5", "ignores-term"),
    Row("K6", "fork-bomb --limit 1", ("B14",), "it tells on stderr what it has done"),
    Row("K7", "threads", ("B14",), "it tells on stderr what it has done"),
    Row("K8", "segv --at quit", ("K1",), "it asks for the same"),
    Row("K9", "writes-file --path zoo.log", ("B14",), "it tells on stderr what it has done"),
)

FURTHER = {"uses-margin": "G8", "oversteps-period": "G26"}
"""Further faults, and the checks that they break. tests/protocol/conformance/test_timed_game.py shows them."""


def row_of(check: str) -> Row | None:
    """The row of a check, None for a check of the referee."""
    return next((row for row in ROWS if row.check == check), None)


def page() -> str:
    """The page of the manual about the checks."""
    smoke = ", ".join(check.id for check in CHECKS if check.id in SMOKE)
    profiles = "\n".join(
        f"| `{name}` | {check} | {why} |" for name, left_out in PROFILES.items() for check, why in left_out.items()
    )
    parts = [_HEAD.format(smoke=smoke, profiles=profiles, checks=len(CHECKS), variant=VARIANT)]
    for group in GROUPS:
        parts.append(f"### {group.letter}. {group.title}\n")
        parts.append("| check | | clause | what holds | the fault that breaks it | which also fails |")
        parts.append("|---|---|---|---|---|---|")
        parts += [_line(check) for check in CHECKS if check.id[0] == group.letter]
        parts.append("")
    parts += _demands()
    return "\n".join(parts)


def _demands() -> list[str]:
    """The table from the demands of SPEC.md to the checks."""
    rows = [
        "## Every demand and its checks\n",
        _DEMANDS,
        "| clause | | what it demands | checks |",
        "|---|---|---|---|",
    ]
    for demand in DEMANDS:
        clause = f"[{demand.clause}](../../protocol/SPEC.md#{demand.clause})"
        checks = " ".join(demand.checks) or f"none: {demand.why_not}"
        rows.append(f"| {clause} | {demand.force} | {demand.words} | {checks} |")
    return [*rows, ""]


def _line(check: Check) -> str:
    clause = f"[{check.clause}](../../protocol/SPEC.md#{check.clause})"
    title = f"{check.title} (each variant)" if check.each_variant else check.title
    row = row_of(check.id)
    if row is None:
        broken, also = f"of the referee: {check.tested_by}", ""
    else:
        fault = FAULTS[row.fault.split()[0]]
        broken = f"`{row.fault}` {sentence(fault)}"
        also = f"{' '.join(row.also)}: {row.why}" if row.also else ""
    return f"| {check.id} | {check.severity} | {clause} | {title} | {broken} | {also} |".replace("|  |", "| |")


_VERDICTS = "\n".join(f"| `{verdict}` | {text} |" for verdict, text in (
    (Verdict.PASS, "the clause holds, as far as could be seen"),
    (Verdict.FAIL, "a MUST of the protocol is broken"),
    (Verdict.WARNING, "a SHOULD is broken, or there is something to note"),
    (Verdict.SKIPPED, "there was nothing to look at: not announced, never said, not in this game; never a pass"),
    (Verdict.ERROR, "the checker itself went wrong"),
))  # fmt: skip
_SEVERITIES = "\n".join(f"| {severity} | {text} |" for severity, text in (
    (Severity.FATAL, "a MUST without which games cannot be refereed"),
    (Severity.MAJOR, "a MUST"),
    (Severity.MINOR, "a SHOULD: it works; put it right"),
    (Severity.NOTE, "no clause demands it: put down, and no more"),
))  # fmt: skip
_GRADES = "\n".join(f"| `{grade}` | {text} |" for grade, text in (
    (Grade.CLEAN, "no MUST and no SHOULD is broken"),
    (Grade.CONFORMANT, "no MUST is broken"),
    (Grade.PLAYABLE, "nothing of F is broken"),
    (Grade.NOT_PLAYABLE, "something of F is broken"),
))  # fmt: skip

_DEMANDS = """Each MUST and each SHOULD of [the protocol](../../protocol/SPEC.md), quoted by some of its words, and each
statement of the rules. A check fails for a broken MUST or rule, and warns for a broken SHOULD. A check of severity N
has no demand. A test holds this table to the text.
"""

_HEAD = f"""# The checks

`arena check ENGINE` asks an engine for everything that [the protocol](../../protocol/SPEC.md) demands, and compares its
moves and its answers with the rules. An engine is a registered name, a path or a quoted command line.

```
arena check ./mine                                   # every game that it announces
arena check ./mine --variant scottish                # one game
arena check ./mine --level smoke                     # what must hold before a tournament, in two seconds
arena check ./mine --only B3,G6 --variant scottish   # some checks; --group B: a letter
arena check ./mine --slow 3                          # on a slow machine: three times as long for everything
arena check ./mine --thorough                        # more positions, games and measurements
arena check ./mine --fuzz 60 --seed 7                # the rules in random positions for a minute
arena check ./mine --json                            # for programs; --junit FILE for build servers
arena check ./mine --transcript talks                # what was said in each check, a file each
arena check --list                                   # the checks
```

Every check starts the engine afresh, so that one that hangs costs no other. A failed check shows what was sent, what
came, what the clause demands, what is likely behind it and the command that does this check again.

A plain UGI engine, one without UGI_Variant, infos and queries, is checked for what it promises; name its game with
`--variant`. Where an engine answers `query legalmoves` ([9.7](../../protocol/SPEC.md#9.7)), its rules are compared in
hundreds of positions of every variant; where it does not, by the legality of its moves. The positions are data
([appendix D](../../protocol/SPEC.md#D.1)) that an engine's author can use without the arena.

F10 compares the rules in random positions: men and stones anywhere, changed rule options, the king beside a corner or
on the centre, two lines at once, a supply that runs out, holes, no turn left, and pieces that go to and fro until a
position comes again, with either side to move. A difference is shrunk to few pieces and moves, and the report names
the rule first. A seed gives the same positions each time. Every full check has a small dose of them; `--fuzz` gives
more.

A runtime has threads of its own: the JVM, Node, Go and .NET start a dozen or more. An author cannot choose how many.
K7 does not count them. In a process of such a runtime it counts the threads that work in a search of 300 ms: those with
at least half the CPU time of the busiest one.

Time is judged as in games, by the referee's own clock ([CLOCKS.md](../reference/CLOCKS.md)): what an engine waits for a
CPU that others have is taken off, and what it needs too long to read a position goes off its clock. A move or a game
that is lost on time is played once more, and counts if it is lost again. The report says what the overrun costs: `it
loses on time at 0.1+0: move 3 of p1 took 201.4 ms`.

An engine that is checked is contained as in games ([CONTAINMENT.md](../reference/CONTAINMENT.md)); `--contain none`
checks it as any program that you start yourself. Where the sandbox refuses something and the engine says so on stderr,
the report names the file or the network: "your engine tried to use `engine.log`; in games that is refused". It also
says so where the engine looked for a file in HOME, which is another folder there.

`--certificate DIR` writes the result as files to publish ([KIT.md](KIT.md#the-certificate)).

Exit codes: 0 all passed but for warnings, 1 a check failed, 2 bad input, 3 the engine cannot be started.

| verdict | |
|---|---|
{_VERDICTS}

| severity | |
|---|---|
{_SEVERITIES}

| grade | |
|---|---|
{_GRADES}

`--level smoke` does {{smoke}}.

## Profiles

An engine behind an [adapter](ADAPTERS.md) cannot do what its own protocol cannot say. `--profile NAME` skips these
checks, and the report gives the reason. A skipped check is no pass, but it costs no grade.

| profile | check | why it is skipped |
|---|---|---|
{{profiles}}

## All {{checks}} of them, and what breaks them

Each check has a fault of [the zoo](../project/ZOO.md) that breaks its clause: `python -P -m engines.zoo --fault NAME`
fails the check, and passes every other but those of the last column. `...` there stands for more, whichever come to the
place that is broken. A test holds this table, in `{{variant}}`.
"""


if __name__ == "__main__":
    print(page(), end="")
