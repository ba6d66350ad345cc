"""What the command line says about containment, and what this machine answers: `--contain`, `--env`, `--read`."""

import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import BadInput
from protocol.containment.policy import Level

if TYPE_CHECKING:
    from concurrent.futures import Future

    from arena.play.jobs import EngineSpec
    from protocol.containment.probe import Part

BEGIN_S = 10
"""A child is born in some ms."""

Contain = Annotated[
    Level | None,
    typer.Option("--contain", help="How engines are kept from the machine: none, basic or strict. [default: basic]"),
]
Environment = Annotated[
    list[str] | None, typer.Option("--env", metavar="NAME=VALUE", help="Added to the environment of every engine.")
]
Reads = Annotated[
    list[Path] | None, typer.Option("--read", metavar="PATH", help="What every engine may read beside its own files.")
]


class Containment:
    """How all engines of one command are contained. `asked` None: `basic`, where there is such a thing."""

    def __init__(self, asked: Level | None, environment: Sequence[str], reads: Sequence[Path]) -> None:
        """Raises BadInput for a variable or path that cannot be used."""
        self.asked = asked
        self.level = asked or (Level.BASIC if sys.platform == "linux" else Level.NONE)
        self._environment: dict[str, str] = {}
        for pair in environment:
            name, equals, value = pair.partition("=")
            if not name or not equals:
                raise BadInput(f"--env {pair!r} cannot be read: write NAME=VALUE")
            self._environment[name] = value
        for path in reads:
            if not path.exists():
                raise BadInput(f"--read {path}: there is no such file or folder; check the path")
        self._reads = [str(path) for path in reads]
        self._trying: Future[tuple[Part, ...]] | None = None

    def around(self, specs: "Sequence[EngineSpec]") -> "tuple[EngineSpec, ...]":
        """The engines in their boxes."""
        from arena.config.load import contained

        return contained(specs, self.level, self._environment, self._reads)

    def begin(self) -> "Future[tuple[Part, ...]]":
        """Begin to try this machine, so that the caller may load modules meanwhile; `proven` has what came of it."""
        from concurrent.futures import ThreadPoolExecutor

        from protocol.containment.probe import require

        born = threading.Event()

        def tried() -> "tuple[Part, ...]":
            try:
                return require(self.level, explicit=self.asked is not None, on_start=born.set)
            finally:
                born.set()

        # Not here: a Ctrl-C that comes while the main thread forks is lost, and with it a lock that is needed.
        thread = ThreadPoolExecutor(1)
        self._trying = thread.submit(tried)
        thread.shutdown(wait=False)
        # A fork amid loading copies locks that nobody gives back.
        born.wait(BEGIN_S)
        return self._trying

    def proven(self, specs: "Sequence[EngineSpec]") -> dict[str, object]:
        """What is in force for each engine, by name, after this machine was tried. Says once what is missing.

        Raises BadInput where a part is missing of what was asked for.
        """
        from protocol.containment.probe import CannotContain, in_force, shortfall

        trying = self._trying or self.begin()
        try:
            parts = trying.result()
        except CannotContain as refused:
            raise BadInput(f"{refused}; `arena doctor` shows what each level can do here") from None
        if missing := shortfall(self.level, parts):
            typer.echo(f"arena: warning: {missing}", err=True)
        if self.asked is None and self.level is Level.NONE:
            typer.echo("arena: warning: engines are not contained on this system", err=True)
        return {spec.name: in_force(spec.box, parts) for spec in specs}
