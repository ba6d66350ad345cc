"""What tests of engines share: engines in C, a search without a referee, and a conversation with a process."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from engines.native.build import compiler
from protocol.engine import Limits, Search

IN_C = [
    pytest.mark.skipif(compiler() is None, reason="there is no C compiler on this machine"),
    pytest.mark.usefixtures("libraries"),
]
"""The marks of a module about engines in C."""


class Heard(Search):
    """It keeps what is told, and is never stopped."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits, None)  # type: ignore[arg-type]
        self.told: list[dict[str, object]] = []

    def stopped(self) -> bool:
        return False

    def info(self, **told: object) -> None:
        self.told.append(told)


class Spoken:
    """One engine process and a conversation with it."""

    def __init__(
        self, command: Sequence[str | Path], cwd: Path | None = None, env: dict[str, str] | None = None
    ) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1, cwd=cwd, env=env)

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def hear(self, word: str) -> list[str]:
        """The lines up to the first that starts with `word`."""
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.split()[:1] == [word]:
                return lines
        raise AssertionError(f"the engine ended before it said {word}: {lines}")
