"""How all engines of a command are contained, and what this machine can do of that.

Imports little: the machine can be tried while the caller loads the rest.
"""

import logging
import os
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from arena.planning.errors import PlanError
from protocol.containment.policy import Level, SandboxPolicy

if TYPE_CHECKING:
    from concurrent.futures import Future

    from arena.play.jobs import EngineSpec
    from protocol.containment.trial import Part

LOG = logging.getLogger("arena")


class Containment:
    """One level for all engines. `level` None asks for `basic` where the system has it, and for `none` elsewhere."""

    def __init__(
        self,
        level: Level | None = None,
        environment: Mapping[str, str] | None = None,
        reads: Sequence[Path] = (),
        db: Path | None = None,
    ) -> None:
        """`environment` is added to that of each engine; each may read `reads` beside its own files.

        `db` is the database that the command names, if any. Without it games are kept in the state folder.
        """
        self.wanted = level
        self.level = level or (Level.BASIC if sys.platform == "linux" else Level.NONE)
        self._environment = environment or {}
        self._reads = [str(path.absolute()) for path in reads]
        self._db = db
        self._trial: Future[tuple[Part, ...]] | None = None

    def apply(self, specs: "Sequence[EngineSpec]") -> "tuple[EngineSpec, ...]":
        """The same engines, each in its sandbox. The state folder and `db` are closed to them.

        Raises ConfigError if one names `db`: what an engine names is hashed and sent to other machines, and nobody but
        SQLite may open a database that this process has open (`results.store.files`). Raises it, too, for words that
        are no UTF-8: they are stored with the run.
        """
        from arena.config.load import ConfigError  # late: the machine is tried meanwhile
        from arena.planning.kept_games import state_folder

        for spec in specs if self._db is not None and self._db.exists() else ():
            words = (*spec.command[1:], *spec.files, *spec.options.values())
            paths = (path for word in words for path in (word, word.rpartition("=")[2]) if os.path.exists(path))
            if any(os.path.samefile(path, str(self._db)) for path in paths):
                raise ConfigError(
                    f"engine {spec.name!r}: it names {self._db}, the database of the run, which engines may not open; "
                    "leave it out, or name a copy"
                )
        closed = tuple(str(path.absolute()) for path in (state_folder(), self._db) if path is not None)

        def contained(own: SandboxPolicy, program: str) -> SandboxPolicy:
            reads = (*own.reads, *self._reads, *_imports(program))
            environment = {**own.environment, **self._environment}
            return replace(own, level=self.level, environment=environment, reads=reads, closed=closed)

        boxed = tuple(replace(spec, sandbox=contained(spec.sandbox, spec.command[0])) for spec in specs)
        for name, word in ((one.name, word) for one in boxed for word in (one.name, *one.command, *one.sandbox.reads)):
            if word != word.encode(errors="ignore").decode():
                raise ConfigError(
                    f"engine {name!r}: {word!r} has a byte that is no UTF-8: write it in UTF-8, or rename the file or "
                    "the folder"
                )
        return boxed

    def begin(self) -> Self:
        """Begin to try this machine in another thread; `verify` waits for the result."""
        from concurrent.futures import ThreadPoolExecutor

        from protocol.containment.trial import require

        thread = ThreadPoolExecutor(1)
        self._trial = thread.submit(require, self.level, explicit=self.wanted is not None)
        thread.shutdown(wait=False)
        return self

    def verify(self, specs: "Sequence[EngineSpec]") -> list[object]:
        """What is in force for each engine. Reports what is lacking. PlanError where that was asked for."""
        from protocol.containment.box import left_out
        from protocol.containment.trial import CannotContain, in_force, of_groups, shortfall

        if self._trial is None:
            self.begin()
        assert self._trial is not None
        try:
            parts = self._trial.result()
        except CannotContain as refused:
            raise PlanError(f"{refused}; `arena doctor` shows what each level can do here") from None
        # What only a control group holds matters for engines that may be broken or hostile, and not for our own.
        strangers = any(not _imports(spec.command[0]) for spec in specs)
        if missing := shortfall(self.level, parts if strangers else [part for part in parts if not of_groups(part)]):
            LOG.warning(missing)
        if self.wanted is None and self.level is Level.NONE:
            LOG.warning("engines are not contained on this system")
        for spec in specs:
            for path in left_out(spec.sandbox, spec.command):
                LOG.info(
                    f"engine {spec.name!r} may not read {path}, which its program leads to: `--read {path}`, or the "
                    "key `reads`, allows it"
                )
        if self._db is not None and self.level is not Level.NONE and self._db.exists():
            mode = stat.S_IMODE(self._db.stat().st_mode)
            if mode & 0o077:
                LOG.info(
                    f"{self._db}: other users may open it (its mode is {mode:o}), and whoever can open it can block "
                    f"the run; `chmod 600 {self._db}` closes it"
                )
        return [in_force(spec.sandbox, parts) for spec in specs]


def _imports(program: str) -> tuple[str, ...]:
    """The folder of our own packages, where the program is the Python that runs the arena; else nothing."""
    ours = Path(program).is_absolute() and Path(program).parent == Path(sys.executable).parent
    return (str(Path(__file__).parents[2]),) if ours else ()
