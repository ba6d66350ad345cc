"""The options that say how engines are contained: `--contain`, `--env` and `--read`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from arena.cli.option_groups import typer_parameter
from arena.conformance.arguments import CONTAIN, ENVIRONMENT, READS, pairs, readable
from arena.planning.containment import Containment
from protocol.containment.policy import Level

Contain = Annotated[Level | None, typer_parameter(CONTAIN)]
Environment = Annotated[list[str] | None, typer_parameter(ENVIRONMENT)]
Reads = Annotated[list[Path] | None, typer_parameter(READS)]


@dataclass(frozen=True, slots=True)
class ContainmentOptions:
    """How all engines of a command are contained."""

    contain: Contain = None
    env: Environment = None
    read: Reads = None

    def parse(self, db: Path | None = None) -> Containment:
        """What these options ask for, with the database of the run. Raises BadArgument for what cannot be used."""
        return Containment(self.contain, pairs(self.env, "--env"), readable(self.read), db)
