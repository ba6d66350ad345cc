"""What a certificate is about: the files of the engine with their digests, the machine, the specification, the suite.

Only reads files and asks the system. The name of the machine and of its user are left out, since certificates are
published.
"""

import contextlib
import hashlib
import os
import platform
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.conformance import clauses
from arena.conformance.catalogue import CHECKS
from arena.games.user_file import file_sha256
from arena.play.jobs import EngineSpec


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """A file of the engine. `sha256` is what `sha256sum` prints for it."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Edition:
    """A specification or a suite of checks: its version and a digest of its content."""

    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class CheckMachine:
    """Where the checks ran."""

    system: str
    cpu: str
    cpus: int
    python: str


def program_files(spec: EngineSpec) -> tuple[ProgramFile, ...]:
    """The executable, every argument that names a file, and the files that the registration lists."""
    program, *rest = spec.command
    executable = shutil.which(program, path=spec.sandbox.environment.get("PATH")) or program
    folder = spec.sandbox.directory or os.getcwd()
    files = []
    for word in dict.fromkeys((executable, *rest, *spec.files)):
        path = Path(folder, word)
        with contextlib.suppress(OSError, ValueError):  # ValueError: a NUL in the word
            if path.is_file():
                files.append(ProgramFile(path.name, file_sha256(path)))
    return tuple(files)


def fingerprint(files: Sequence[ProgramFile]) -> str:
    """One digest for all files: that of the only one, else of their names and digests as `sha256sum` prints them."""
    if len(files) == 1:
        return files[0].sha256
    return hashlib.sha256("".join(f"{one.sha256}  {one.name}\n" for one in files).encode()).hexdigest()


def specification() -> Edition:
    """The version of SPEC.md, as its head says it, and the digest of its text."""
    return Edition(clauses.version(), hashlib.sha256(clauses.specification().encode()).hexdigest())


def suite(version: str) -> Edition:
    """The arena's version, and the digest of the list of checks with their clauses and severities."""
    rows = "".join(f"{one.id}\t{one.clause}\t{one.severity}\t{one.title}\n" for one in CHECKS)
    return Edition(version, hashlib.sha256(rows.encode()).hexdigest())


def machine() -> CheckMachine:
    """This machine, without its name."""
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return CheckMachine(system, _cpu(), os.cpu_count() or 1, platform.python_version())


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return " ".join(value.split())
    except OSError:
        pass
    return platform.processor()
