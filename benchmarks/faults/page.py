"""The page docs/reference/FAULTS.md: the tables of what was played, and in words what they mean. Plays nothing."""

import platform
from collections.abc import Iterable, Iterator, Sequence

from benchmarks.faults.play import BOX, DEED_S, FORFEITS, LATE_S, MEMORY_MB, PLAIN, Outcome
from benchmarks.faults.special import Accident

HEAD = """# What becomes of every fault

Each fault of [the zoo](../project/ZOO.md) that shows in any game, at each moment at which it can strike, against a
correct engine, played by the arena's own workers with real processes. Made by `make faults`, which fails where a row is
wrong.

A row is right where all of this holds:

* the game ended with the word that [the specification](../../protocol/SPEC.md#11.1) names, and the faulty engine lost
  it; or, for a fault that costs nothing, it went move by move as without the fault;
* the record came within {late:.0f} s of the deadline or the cap that was broken, or, where none was, of the last line
  sent to the engine; after `quit`, the run ended within {late:.0f} s of the last deadline for that; a deed may take
  {deed:.0f} s more until it is too much;
* the worker's memory grew by less than {memory:.0f} MB over a faultless game's;
* two seconds after the run no process of the engine was left, not even one that had left its session, and no scratch
  folder;
* the next game by the same worker went as if nothing had happened;
* a deed against the machine was refused, or ended the engine, and did no harm.

The deadlines are short: 1.5 s to start, 1 s to get ready, 1.5 s for a new game, 1 s to quit, 1.5 s for a move without a
clock; for faults that take a while by themselves, under a clock of 10 s, 10 s each.
Containment: `{level}`, with a cap of 512 MB. Played on {machine}.
"""

KEY = """Short words: *s* is the seconds and *MB* the memory of above, *left* the processes left behind, *next* how the
next game went where it was not plain, *box* what a deed met: `refused`, `ended` where the containment ended the engine,
`done` where nobody stopped it. A `plain` game is the one that two correct engines play. `2` behind a fault: the faulty
engine was p2. What an orphan does is `done`: it may be born, and is ended with its engine. So are folders in
folders, which go with the scratch.
"""

PEERS = """## What others do

The same kinds of faults, given to three runners for chess engines, which have the same problem (a clock of one second
and a tenth more for each move, the engine breaks at its twentieth ply, four games). The first two were told to go on
after a crash.

| the engine | fastchess | cutechess-cli | c-chess-cli | here |
|---|---|---|---|---|
| exits, segfaults | goes on | goes on | the run dies, nothing is recorded | `crash`, at once |
| hangs in a search | about 183 s a game | 17 s | segfaults itself | `time`, when its clock and the margin are over |
| hangs under a nodes limit | waits for ever | waits for ever | waits for ever | `stall`, after the limit for a move |
| trickles info for ever | never loses on time | about 2 s | about 2 s | `time`, as above |
| trickles, and is deaf to `stop` | waits for ever | waits for ever | segfaults itself | `time`, as above |
| says an illegal move or garbage | loses | loses | loses | `illegal-move`, `malformed-move` |
| writes 100 MB without a newline | takes it (206 MB) | loses on time (476 MB) | takes it (102 MB) | `malformed-move` |
| leaves a child behind | it stays | it stays | segfaults itself, it stays | it is ended |
| ignores `quit` | 61 s | 5 s | waits for ever | 2 s to quit, 1 s to heed SIGTERM |
| says two moves | silence | a warning | silence | counted, dropped |

Ctrl-C while an engine hangs took fastchess 61 to 100 s and cutechess-cli 15 s; for the arena see `interrupted` above.
After `kill -9` in a run of 100 games and a resume, fastchess had 113 games; here a resume plays exactly the numbers
that are missing. None of the three has process groups, caps on output or containment.
"""

NOT_COVERED = """## What is not covered

* A worker killed by SIGKILL cannot end its engines. A process beside it ends all that is in their control groups.
  Without control groups the system ends an engine in `basic` and `strict` with its worker; under `none` an engine that
  ignores the end of its input stays until it ends by itself.
* The zoo's faults against single clauses, there for the conformance suite, are left out: what comes of them depends on
  whether a game touches the clause. `python -m benchmarks.faults --only NAME` plays one all the same.
* Under `strict` an engine is the first process of a world of its own, in which the signals that it sends itself mean
  nothing: `segv` and `sigstop` do not strike there, and their rows are wrong for that reason.
* A deed of an engine that runs with `none` is not stopped: it may read, write, connect and signal what its user may.
* An engine that manages to kill its worker costs nobody the game, which is played again; after three times the run
  stops with a sentence. It is not withdrawn, since nobody can say which of the two engines did it.
* The loss of power, a failing disk that returns wrong bytes, and a machine that runs out of memory as a whole are not
  played. The full disk is played as a cap on the size of files.
* A program that is replaced while the tournament runs is taken as it is found at the engine's next start; the
  fingerprint stored with the run is the one of its beginning.
* Time is measured on one machine with two games at a time. A machine that stands still for a second makes rows wrong
  that are right.
* The clock's fairness and the freezing of engines while the opponent thinks are not the subject of these rows.
"""


def page(played: Sequence[Outcome], special: Sequence[Accident], level: str) -> str:
    """The whole page, as Markdown."""
    machine = f"{platform.system()} {platform.release().split('-')[0]}, Python {platform.python_version()}"
    wrong = len(list(complaints(played, special)))
    summary = f"{len(played)} rows and {len(special)} accidents, {wrong} of them wrong."
    return "\n".join(
        (
            HEAD.format(late=LATE_S, deed=DEED_S, memory=MEMORY_MB, level=level, machine=machine),
            summary,
            "",
            KEY,
            "## The faults",
            "",
            *faults_table(played),
            "",
            "## Accidents around a run",
            "",
            *special_table(special),
            "",
            *_wrong(played, special),
            PEERS,
            NOT_COVERED.rstrip(),
            "",
        )
    )


def faults_table(played: Sequence[Outcome]) -> Iterator[str]:
    """One line for each row."""
    yield "| fault | at | limit | expected | got | s | MB | left | next | box | |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for one in played:
        row = one.row
        name = " ".join((f"`{row.fault}`", *(word for word in row.arguments if word == "--really")))
        seconds = "" if one.seconds is None else f"{one.seconds:.2f}"
        ended = row.verdict not in FORFEITS and BOX in one.detail
        cells = (
            f"{name} 2" if row.side == "p2" else name,
            row.phase,
            row.limit,
            str(row.verdict),
            one.got,
            seconds,
            f"{one.memory_mb:.0f}",
            str(one.left),
            "" if one.second == PLAIN else one.second,
            "ended" if ended else one.deed if row.verdict == "contained" else "",
            "**wrong**" if one.wrong else "",
        )
        yield f"| {' | '.join(cells)} |"


def special_table(special: Sequence[Accident]) -> Iterator[str]:
    """One line for each accident."""
    yield "| accident | what happens | what must come of it | got | |"
    yield "|---|---|---|---|---|"
    for one in special:
        yield f"| `{one.name}` | {one.story} | {one.expected} | {one.got} | {'**wrong**' if one.wrong else ''} |"


def complaints(played: Iterable[Outcome], special: Iterable[Accident]) -> Iterator[str]:
    """One line for each row that is wrong."""
    for outcome in played:
        if outcome.wrong:
            row = outcome.row
            words = " ".join((row.fault, row.phase, row.limit, row.side, *row.arguments))
            yield f"{words}: {'; '.join(outcome.wrong)}"
    for one in special:
        if one.wrong:
            yield f"{one.name}: {'; '.join(one.wrong)}"


def _wrong(played: Sequence[Outcome], special: Sequence[Accident]) -> Iterator[str]:
    lines = [f"* {line}" for line in complaints(played, special)]
    if lines:
        yield from ("## What is wrong", "", *lines, "")
