"""Compiles the searches in C: a shared library for each engine. `arena engines build` and make call it.

A library has a digest of its source in its name, so nobody plays with a stale one. Without a compiler nothing is made,
and the engines search in Python.
"""

import functools
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
LIBRARIES = HERE / "lib"
"""The libraries that came with the package: of a wheel for one platform, or made by make in a checkout."""
ENGINES = ("stornoway", "buckquoy")
WORDS = (1, 2, 3)
"""For each engine one object file for each number of 64-bit words that a set of squares needs."""
# Every 64-bit processor from about 2009 on counts bits in one instruction; the oldest ones cannot be told to.
_MACHINE = ("-march=x86-64-v2",) if platform.machine() in ("x86_64", "AMD64") else ()
_FLAGS = ("-std=gnu11", "-O3", "-fPIC", "-fvisibility=hidden", "-pthread", *_MACHINE)


def cache() -> Path:
    """The folder of the user's cache with the libraries that were compiled after installing."""
    import platformdirs  # make compiles before anything is installed

    return Path(platformdirs.user_cache_dir("callanish-arena", appauthor=False)) / "searches"


def library(engine: str) -> Path:
    """The library of an engine: that of the package, else the place in the cache, whether it was made or not."""
    shipped = LIBRARIES / _file_name(engine)
    return shipped if shipped.exists() else cache() / shipped.name


@functools.cache
def _file_name(engine: str) -> str:
    """It tells the source, how it is compiled, and the kind of machine."""
    sha256 = hashlib.sha256(repr((_FLAGS, WORDS, platform.machine())).encode())
    for source in (HERE / f"{engine}.c", *sorted(HERE.glob("*.h"))):
        sha256.update(source.name.encode() + b"\0" + source.read_bytes())
    return f"{engine}-{sha256.hexdigest()[:16]}.so"


def compiler() -> str | None:
    """The C compiler: what CC names, else `cc`. None if there is none."""
    return shutil.which(os.environ.get("CC") or "cc")


def build(engine: str, folder: Path) -> Path:
    """Compile the library of one engine into a folder and return its path. Raises OSError, and RuntimeError with what
    the compiler said."""
    cc, source = compiler(), HERE / f"{engine}.c"
    if cc is None:
        raise RuntimeError("there is no C compiler: install one, such as gcc, or name it in CC")
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / _file_name(engine)
    with tempfile.TemporaryDirectory(dir=folder) as parts, ThreadPoolExecutor(os.cpu_count()) as at_once:
        objects = [str(Path(parts) / f"{engine}-{words}.o") for words in WORDS]
        commands = [
            [cc, *_FLAGS, f"-DWORDS={words}", "-c", str(source), "-o", name]
            for words, name in zip(WORDS, objects, strict=True)
        ]
        list(at_once.map(_run, commands))
        built = Path(parts) / target.name
        _run([cc, "-shared", "-pthread", *objects, "-lm", "-o", str(built)])
        # Replaced in one step: an engine that runs keeps the library that it has loaded.
        built.replace(target)
    return target


def _run(command: list[str]) -> None:
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{process.stderr.strip()}")


def up_to_date(engine: str, folder: Path | None = None) -> Path:
    """The library of an engine, compiled into a folder, by default the cache, unless it is there and loads.

    Raises OSError and RuntimeError.
    """
    made = library(engine) if folder is None else folder / _file_name(engine)
    return made if loads(made) else build(engine, folder or cache())


def loads(path: Path) -> bool:
    """Whether there is a library that this machine can load."""
    import ctypes

    try:
        ctypes.CDLL(str(path))
    except OSError:
        return False
    return True


def main() -> int:
    """Make the libraries of the package, and remove those of older sources. Without a compiler do nothing: the arena
    tells the remedy when such an engine is to play."""
    for engine in ENGINES if compiler() else ():
        try:
            made = up_to_date(engine, LIBRARIES)
        except RuntimeError as error:
            print(error, file=sys.stderr)
            return 1
        for other in set(LIBRARIES.glob(f"{engine}*.so")) - {made}:
            other.unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
