"""The options that several playing commands share, each written once: groups, and what each group stands for.

A group is a frozen dataclass that `option_groups.grouped` shows to typer. An option that a command takes without its
group has a name of its own here. Loads what it builds when it builds it: a command's help needs none of it.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from arena.cli.errors import BadInput
from arena.cli.option_groups import option
from arena.cli.output import LOG
from arena.planning.containment import Containment
from protocol.containment.policy import Level

if TYPE_CHECKING:
    from arena.planning.introductions import OtherMachines
    from arena.play.jobs import EngineSpec

NOT_KEPT = Path("none")
"""What `--db` says where no game is to be kept."""
MOST_GAMES = 1_000_000_000
"""A match has at most so many games, which no machine will play."""

_engines = partial(option, rich_help_panel="Engines")
_contained = partial(option, rich_help_panel="Containment")
_limits = partial(option, rich_help_panel="Limits")
_machine = partial(option, rich_help_panel="Machine")
_elsewhere = partial(option, rich_help_panel="Other machines")
_output = partial(option, rich_help_panel="Output")

Engines = Annotated[Path | None, _engines("A registry file beside the shipped and your own engines.")]
Adapter = Annotated[
    str, _engines("Use another protocol for engines that are not the arena's own: uci, or a TOML file.", "NAME|FILE")
]
Changes = Annotated[
    list[str] | None,
    option(
        "Replaces a key: each.nodes=9, engines.2.options.Hash=16, rounds=4. More than once for several.",
        "KEY=VALUE",
        flag="--set",
    ),
]
Pin = Annotated[bool, _machine("Keep each game on a CPU of its own, if one is free.", flag="--pin/--no-pin")]
Database = Annotated[
    Path | None,
    _output(
        "Database to keep the games in; the same command again plays what is missing. none: keep no game. "
        "[default: a file in your state folder, named at the end]"
    ),
]
DatabaseOfFile = Annotated[Path | None, _output("Database to keep the games in. [default: FILE.db here]")]
Live = Annotated[
    bool,
    _output("Keep the events in a file beside the database, for `arena watch` and others.", flag="--live/--no-live"),
]
Serve = Annotated[bool, _output("Show the run in a browser while it is played: see `arena serve`.", flag="--serve")]


@dataclass(frozen=True, slots=True)
class OpponentOptions:
    """What is said of the two engines of a match beside their names."""

    option: Annotated[
        list[str] | None,
        _engines(
            "An option of both engines, more than once for several. One after an engine's colon replaces it.",
            "NAME=VALUE",
        ),
    ] = None
    limit_a: Annotated[str | None, _limits("Limit of A alone: 10+0.1, movetime=20, nodes=500 or depth=3.", "LIMIT")] = (
        None
    )
    limit_b: Annotated[str | None, _limits("Limit of B alone: a time handicap.", "LIMIT")] = None
    adapter: Adapter = ""
    engines: Engines = None

    def specs(self, words: Sequence[str]) -> "list[EngineSpec]":
        """The engines that A and B name. Raises ConfigError."""
        from arena.config import load
        from arena.config.engine_argument import adapted, engine_argument, option_values

        registry, each = load.load_registry(self.engines), option_values(self.option) if self.option else {}
        specs = [engine_argument(word, registry, each) for word in words]
        return [adapted(spec, self.adapter) for spec in specs] if self.adapter else specs


@dataclass(frozen=True, slots=True)
class MachineOptions:
    """Which part of this machine a run uses."""

    pin: Pin = True
    cpus: Annotated[str | None, _machine("Use these CPUs only, as taskset does: 3,5 or 0-3.", "LIST")] = None

    def keep_to_cpus(self) -> None:
        """Keep this process, and all that it will start, to the CPUs of `--cpus`, if any. Raises BadInput."""
        from arena.play import cpu_affinity

        if self.cpus is None:
            return
        try:
            os.sched_setaffinity(0, cpu_affinity.parse(self.cpus))
        except cpu_affinity.BadCpus as bad:
            raise BadInput(f"--cpus {bad}") from None


Contain = Annotated[Level | None, _contained("Sandbox level of the engines: none, basic or strict. [default: basic]")]


@dataclass(frozen=True, slots=True)
class ContainmentOptions:
    """How all engines of a command are contained."""

    contain: Contain = None
    env: Annotated[list[str] | None, _contained("Add a variable to the environment of every engine.", "NAME=VALUE")] = (
        None
    )
    read: Annotated[list[Path] | None, _contained("A path that every engine may read beside its own.", "PATH")] = None

    def parse(self, db: Path | None = None) -> Containment:
        """What these options ask for, with the database of the run. Raises BadInput for what cannot be used."""
        environment: dict[str, str] = {}
        for text in self.env or ():
            name, equals, value = text.partition("=")
            if not name or not equals:
                raise BadInput(f"--env {text!r} cannot be read: write NAME=VALUE")
            if name in environment:
                raise BadInput(f"--env gives {name} twice: leave out one of the two")
            environment[name] = value
        for path in self.read or ():
            if not path.exists():
                raise BadInput(f"--read {path}: there is no such file or folder; check the path")
        return Containment(self.contain, environment, self.read or (), None if db == NOT_KEPT else db)


ClusterKeys = Annotated[
    Path | None, _elsewhere("The folder of the cluster's keys: `arena cluster keys` makes it.", "DIR")
]


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """Which other machines play the games of a run."""

    cluster: Annotated[
        str | None, _elsewhere("Play on the machines that have joined there: tls://HOST:8786.", "ADDRESS")
    ] = None
    keys: ClusterKeys = None
    machines: Annotated[str | None, _elsewhere("Of these machines only: m1,m2. [default: all]", "NAMES")] = None

    @contextmanager
    def connected(self) -> "Iterator[OtherMachines | None]":
        """The machines, while the block runs; None for this one. Raises BadInput and ClusterError."""
        if self.cluster is None:
            given: dict[str, object] = {"--keys": self.keys, "--machines": self.machines}
            for option in (option for option, value in given.items() if value):
                raise BadInput(f"{option} goes with --cluster ADDRESS: name the cluster, or leave it out")
            yield None
            return
        from arena.cluster.access import access

        reached = access(self.cluster, self.keys)
        only = [name.strip() for name in (self.machines or "").split(",") if name.strip()]
        from arena.cluster.cluster import Cluster

        with Cluster(reached, LOG.info, only).connected() as cluster:
            yield cluster


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What a run prints and writes."""

    pgn: Annotated[
        Path | None, _output("Write the games to a PGN file at the end, replacing it; - is stdout, alone.", "FILE")
    ] = None
    events: Annotated[Path | None, _output("Write events as JSON lines; - is stdout.", "FILE")] = None
    quiet: Annotated[bool, _output("Show no progress, only the tables.", flag="--quiet")] = False
    live: Live = True
    serve: Serve = False
    trace: Annotated[Path | None, _output("Write each engine's dialogue to files there.", "DIR")] = None
    as_json: Annotated[bool, _output("Print one JSON object and nothing else to stdout.", flag="--json")] = False
