"""The options that say how engines are contained: `--contain`, `--env` and `--read`."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.errors import BadInput
from arena.planning.containment import Containment
from protocol.containment.policy import Level

_option = partial(typer.Option, rich_help_panel="Containment")

Contain = Annotated[
    Level | None,
    _option("--contain", help="How engines are kept from the machine: none, basic or strict. [default: basic]"),
]
Environment = Annotated[
    list[str] | None, _option("--env", metavar="NAME=VALUE", help="Add a variable to the environment of every engine.")
]
Reads = Annotated[
    list[Path] | None, _option("--read", metavar="PATH", help="A path that every engine may read beside its own.")
]


@dataclass(frozen=True, slots=True)
class ContainmentOptions:
    """How all engines of a command are contained."""

    contain: Contain = None
    env: Environment = None
    read: Reads = None

    def parse(self, db: Path | None = None) -> Containment:
        """What these options ask for, with the database of the run. Raises BadInput for what cannot be used."""
        environment: dict[str, str] = {}
        for pair in self.env or ():
            name, equals, value = pair.partition("=")
            if not name or not equals:
                raise BadInput(f"--env {pair!r} cannot be read: write NAME=VALUE")
            environment[name] = value
        for path in self.read or ():
            if not path.exists():
                raise BadInput(f"--read {path}: there is no such file or folder; check the path")
        return Containment(self.contain, environment, self.read or (), db)
