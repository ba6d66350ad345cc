"""Compiles the searches in C: `python -m engines.native.build` makes a shared library for each engine.

Owns where the libraries lie and how they are compiled. Without a compiler nothing is made, and the engines search in
Python. A library holds a digest of the source that it was made from, so that nobody plays with a stale one.
"""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
LIBRARIES = HERE / "lib"
ENGINES = ("stornoway", "buckquoy")
WORDS = (1, 2, 3)
"""For each engine one object file for each number of 64-bit words that a set of squares needs."""
_FLAGS = ("-std=gnu11", "-O3", "-fPIC", "-fvisibility=hidden", "-pthread")
_SYMBOL = "compiled_from"


def library(engine: str) -> Path:
    """Where the library of an engine lies, whether it was made or not."""
    return LIBRARIES / f"{engine}.so"


def digest(engine: str) -> str | None:
    """What the library of an engine must hold: the SHA-256 of its source and of how it is compiled. None if the source
    is not there."""
    if not (HERE / f"{engine}.c").exists():
        return None
    sha256 = hashlib.sha256(repr((_FLAGS, WORDS)).encode())
    for source in (HERE / f"{engine}.c", *sorted(HERE.glob("*.h"))):
        sha256.update(source.name.encode() + b"\0" + source.read_bytes())
    return sha256.hexdigest()


def compiled_from(library: ctypes.CDLL) -> str | None:
    """The digest that a library holds; None in one that was made before there were digests."""
    try:
        return (ctypes.c_char * 64).in_dll(library, _SYMBOL).value.decode()
    except ValueError:
        return None


def compiler() -> str | None:
    """The C compiler: what CC names, else `cc`. None if there is none."""
    return shutil.which(os.environ.get("CC") or "cc")


def build(engine: str, target: Path | None = None) -> Path:
    """Compile the library of one engine and return its path. Raises RuntimeError with what the compiler said."""
    cc, source, mark = compiler(), HERE / f"{engine}.c", digest(engine)
    if cc is None:
        raise RuntimeError("there is no C compiler: install one, or name it in CC")
    target = target or library(engine)
    target.parent.mkdir(parents=True, exist_ok=True)
    # Every 64-bit processor from about 2009 on counts bits in one instruction; the oldest ones cannot be told to.
    machine = ["-march=x86-64-v2"] if platform.machine() in ("x86_64", "AMD64") else []
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        objects = [str(Path(folder) / f"{engine}-{words}.o") for words in WORDS]
        for words, name in zip(WORDS, objects, strict=True):
            _run([cc, *_FLAGS, *machine, f"-DWORDS={words}", "-c", str(source), "-o", name])
        marked = Path(folder) / f"{engine}-mark.c"
        marked.write_text(f'__attribute__((visibility("default"))) const char {_SYMBOL}[] = "{mark}";\n')
        built = Path(folder) / target.name
        _run([cc, "-shared", "-pthread", *objects, str(marked), "-lm", "-o", str(built)])
        # Replaced in one step: an engine that runs keeps the library that it has loaded.
        built.replace(target)
    return target


def _run(command: list[str]) -> None:
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{process.stderr.strip()}")


def up_to_date(engine: str) -> Path:
    """The library of an engine, compiled now if it is missing or was made from another source. Raises RuntimeError."""
    return build(engine) if _outdated(engine) else library(engine)


def _outdated(engine: str) -> bool:
    try:
        return compiled_from(ctypes.CDLL(str(library(engine)))) != digest(engine)
    except OSError:
        return True


def main() -> int:
    """Make what is missing or older than its source. Without a compiler say so, and succeed."""
    if compiler() is None:
        print("skipped: there is no C compiler; stornoway and buckquoy search in Python")
        return 0
    for engine in ENGINES:
        if (HERE / f"{engine}.c").exists() and _outdated(engine):
            try:
                print(f"compiled {build(engine).relative_to(HERE.parent.parent)}")
            except RuntimeError as error:
                print(error, file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
