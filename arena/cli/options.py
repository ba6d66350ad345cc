"""The options that several playing commands share: each spelt once, with its help. Does nothing."""

from pathlib import Path
from typing import Annotated, Literal

import typer

Variant = Annotated[
    str | None, typer.Option(help="What is played; `arena variants` lists them. [default: callanish-9]")
]
Board = Annotated[Path | None, typer.Option(help="A drawn board to start from: a text or TOML file.")]
Rules = Annotated[str, typer.Option(help="Changed rules, such as 'king_steps=2 king_armed=no'.")]
Fen = Annotated[str | None, typer.Option(help="A position string to start from.")]

EachOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of both engines; what stands behind an engine's colon comes first. More than once for several.",
    ),
]
LimitA = Annotated[
    str | None,
    typer.Option(metavar="LIMIT", help="What A alone may spend: 10+0.1, movetime=20, nodes=500 or depth=3."),
]
LimitB = Annotated[str | None, typer.Option(metavar="LIMIT", help="The same of B: a time handicap.")]

Tc = Annotated[
    str | None,
    typer.Option(
        help="Seconds, base+increment or moves/base+increment; also minutes, as 5:00+3. [default: 5+0.05]",
    ),
]
Movetime = Annotated[int | None, typer.Option(help="Milliseconds for each move, instead of a clock.")]
Nodes = Annotated[int | None, typer.Option(help="Nodes for each move, instead of a clock.")]
Depth = Annotated[int | None, typer.Option(help="Search depth of each move, instead of a clock.")]
TimeScale = Annotated[float, typer.Option(help="Multiplies the clock, or the milliseconds of each move.")]
Margin = Annotated[int, typer.Option(help="Milliseconds by which a move may be late without losing.")]
MoveLimit = Annotated[float, typer.Option(help="Seconds for a move under a nodes or depth limit.")]
ClockKind = Annotated[
    Literal["wall", "cpu", "fair"] | None,
    typer.Option(
        "--clock",
        help="Judge moves by wall time, CPU time, or fair: wall time less the machine's delays. [default: fair]",
    ),
]
Freeze = Annotated[bool, typer.Option("--freeze", help="Stop engines with SIGSTOP while their opponent thinks.")]

MaxPlies = Annotated[int, typer.Option(help="Adjudicate a draw after so many plies; 0: never.")]
Resign = Annotated[
    str | None,
    typer.Option(
        metavar="RULE",
        help="Adjudicate a loss by scores, such as score=600,moves=3; with ,twosided=true both must say so.",
    ),
]
Draw = Annotated[
    str | None,
    typer.Option(
        metavar="RULE", help="Adjudicate a draw by scores, such as score=10,moves=8; with ,after=40 beyond ply 40."
    ),
]

Seed = Annotated[int | None, typer.Option(help="Decides openings and engines' chance. [default: drawn, printed]")]
Book = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Openings: moves or position strings, one opening a line, or PGN."),
]
BookOrder = Annotated[
    Literal["sequential", "random"] | None,
    typer.Option(help="Take them in the book's order, or in one drawn from the seed. [default: sequential]"),
]
BookStart = Annotated[int | None, typer.Option(help="Which opening comes first. [default: 1]")]
BookPlies = Annotated[int | None, typer.Option(help="Moves of each opening that are taken; 0: all. [default: 0]")]

Concurrency = Annotated[int | None, typer.Option(help="Games at once. [default: CPU cores - 1, at least 1]")]
FaultBudget = Annotated[int, typer.Option(help="Withdraw an engine after so many faults in a row; 0: never.")]
Cpus = Annotated[
    str | None,
    typer.Option("--cpus", metavar="LIST", help="Keep all of it to these CPUs, as taskset does: 3,5 or 0-3."),
]
Pin = Annotated[bool, typer.Option("--pin/--no-pin", help="Keep each game on a CPU of its own, where one is free.")]
Smoke = Annotated[
    bool,
    typer.Option(
        "--smoke/--no-smoke", help="First ask each engine the smoke level of `arena check`, two seconds each."
    ),
]
Engines = Annotated[Path | None, typer.Option(help="A registry file beside the shipped and your own engines.")]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else to stdout.")]
Events = Annotated[
    Path | None, typer.Option("--events", metavar="FILE", help="Write what happens as JSON lines; - is stdout.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress, only the tables.")]
Trace = Annotated[
    Path | None,
    typer.Option("--trace", metavar="DIR", help="Write all that is said with each engine to files there."),
]
