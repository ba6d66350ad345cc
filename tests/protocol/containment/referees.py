"""A user who starts contained engines, by way of the stand-in for the referee."""

import json
import os
import secrets
import subprocess
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
import pytest

from protocol.containment.policy import Caps, Level

STAND_IN = Path(__file__).parent / "stand_in.py"
STRICT_IS_ALIKE = pytest.mark.parametrize(
    "level", [Level.BASIC, pytest.param(Level.STRICT, marks=pytest.mark.long)], indirect=True, scope="session"
)
"""Of what the kernel keeps in the same way at both levels: the stricter one takes a start of bubblewrap more."""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a contained engine fared."""

    status: int
    out: str
    ended_for: str | None
    left: int
    """Processes of it that were still there when all was over."""
    scratch: str | None


def got(ran: Ran) -> bool:
    """True if it printed that it got what it wanted; Python 3.13 shows the code of a traceback, too."""
    return any(line.startswith("got") for line in ran.out.splitlines())


class Referee:
    """A user who runs contained engines, one after the other; `close` at the end."""

    def __init__(self, prefix: tuple[str, ...], home: Path, caps: Collection[str] | None) -> None:
        """`caps` are what the kernel holds by control groups, None where the user has none."""
        self.home = home
        self.is_root = os.geteuid() == 0 and len(prefix) == 1
        self.prefix = prefix
        self._caps = caps
        self._popen: subprocess.Popen[str] | None = None

    def holds(self, promise: str, level: Level) -> bool:
        """Whether the table of CONTAINMENT.md promises it in this situation."""
        strict, caps = level is Level.STRICT, self._caps or ()
        return {
            "processes": (strict and not self.is_root) or "pids" in caps,
            "memory": "memory" in caps,
            "disk": strict or "memory" in caps,
            "outliving": strict or self._caps is not None,
        }[promise]

    def must_hold(self, promise: str, level: Level) -> None:
        """Skip a test of what is not promised in this situation."""
        if not self.holds(promise, level):
            pytest.skip(f"{promise}: not promised in `{level}` without a control group")

    def start(self) -> "subprocess.Popen[str]":
        """A stand-in of one's own."""
        return subprocess.Popen(
            [*self.prefix, str(STAND_IN)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.home),
                "TMPDIR": str(self.home.parent / "tmp"),
                # Of psutil, which the Python of an ordinary user may not have.
                "PYTHONPATH": str(Path(psutil.__file__).parents[1]),
            },
            cwd="/",
        )

    def run(self, level: Level, argv: Sequence[str], **how: object) -> Ran:
        """What became of it. Fails where the referee itself did not live to tell."""
        if self._popen is None:
            self._popen = self.start()
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self._popen.stdin.write(job(level, argv, **how))  # type: ignore[arg-type]  # handed on as they are
        self._popen.stdin.flush()
        line = self._popen.stdout.readline()
        if not line:
            status = self._popen.wait(10)
            self._popen = None
            raise AssertionError(f"the referee ended with {status}")
        return Ran(**json.loads(line))

    def close(self) -> None:
        """End the stand-in."""
        if self._popen is not None:
            self._popen.communicate(timeout=10)


def job(
    level: Level,
    argv: Sequence[str],
    *,
    caps: Caps | None = None,
    reads: Sequence[Path] = (),
    closed: Path | None = None,
    environment: Mapping[str, str] | None = None,
    deadline_ms: int = 60_000,
    hold: bool = False,
    loopback: bool = False,
) -> str:
    """What the stand-in is told. `{mark}` in argv marks processes that must not be left."""
    mark = f"mark{secrets.token_hex(8)}"
    return (
        json.dumps(
            {
                "level": level,
                "argv": [word.replace("{mark}", mark) for word in argv],
                "caps": asdict(caps or Caps()),
                "reads": [str(path) for path in reads],
                "closed": [] if closed is None else [str(closed)],
                "environment": dict(environment or {}),
                "deadline_ms": deadline_ms,
                "hold": hold,
                "loopback": loopback,
                "mark": mark,
            }
        )
        + "\n"
    )
