"""The paths that an engine may read: of the system, its interpreter, itself, its command's words, and granted ones.

Only reads the file system. A guessed path (one that is not granted by name) never contains the home directory, the
temporary directory or the root. An engine that lies directly in one of them may read only its own file there.
"""

import contextlib
import os
import pathlib
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
CONFIGURATION = (
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/perl",
    "/etc/python3",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
)
JAVA = "/etc/java"
"""Debian's JDK keeps its settings in /etc/java-17-openjdk and the like."""
KERNEL = ("/proc", "/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
RANDOM = ("/dev/random", "/dev/urandom")
_HOPS = 16
_BESIDE = re.compile(r"-(wal|shm|journal|[0-9a-f]+\.(lock|live|live\.part))$")
"""What the names of the files beside a results file end with."""
_RESULTS = int.from_bytes(b"CALA", "big")


def find(program: str, path: str, directory: str | None) -> str | None:
    """The absolute path of a command's first word, found as exec does. None if there is no such program."""
    if os.sep not in program:
        first = shutil.which(program, path=path)
        return None if first is None else os.path.abspath(first)
    absolute = os.path.abspath(os.path.join(directory or os.getcwd(), program))
    return absolute if os.path.isfile(absolute) and os.access(absolute, os.X_OK) else None


def readable(executable: str, argv: Sequence[str], directory: str | None, granted: Iterable[str]) -> tuple[str, ...]:
    """All existing paths that the engine may read and run, each once. `executable` is argv[0] as an absolute path."""
    reads = [*SYSTEM, *CONFIGURATION, *_beginning(JAVA)]
    reads += [path for prefix in (sys.prefix, sys.base_prefix) for path in _unless_wide(prefix)]
    for program in (executable, *_started(executable, argv, directory)):
        reads += _of_program(program, _HOPS)
    for word in argv[1:]:
        reads += _named(word, directory or os.getcwd())
        # A script may import the files in its folder.
        script = os.path.abspath(os.path.join(directory or os.getcwd(), word))
        reads += _unless_wide(os.path.dirname(script)) if os.path.isfile(script) else ()
    reads += [os.path.abspath(path) for path in granted]
    if directory is not None:
        reads.append(os.path.abspath(directory))
    return tuple(path for path in dict.fromkeys(reads) if os.path.exists(path))


def without(paths: Iterable[str], closed: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The same paths without a results file and the files that belong to it, and the folders that may be listed.

    A folder that leads to the file becomes its entries, as they are now. The folder itself may be listed only.
    """
    database = os.path.realpath(closed)
    kept: list[str] = []
    listed: list[str] = []
    todo = [(path, os.path.realpath(path), False) for path in reversed(list(paths))]
    while todo:
        path, real, is_link = todo.pop()
        if _BESIDE.sub("", real) == database:
            continue
        if not database.startswith(os.path.join(real, "")):
            kept.append(path)
        elif not is_link:  # a link may lead in a circle
            listed.append(path)
            with contextlib.suppress(OSError), os.scandir(path) as entries:
                for each in entries:
                    link = each.is_symlink()
                    todo.append(
                        (each.path, os.path.realpath(each.path) if link else os.path.join(real, each.name), link)
                    )
    return tuple(kept), tuple(listed)


def is_of_results(path: str) -> bool:
    """Is this a results file of an arena, or a file that belongs to one?

    SQLite is asked for its header. This process may have the file open as a database, and would lose its locks on it
    when it closes another descriptor of it.
    """
    database = _BESIDE.sub("", path)
    if not os.path.isfile(database):
        return False
    uri = f"{pathlib.Path(os.path.abspath(database)).as_uri()}?mode=ro&immutable=1"
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as conn:
            return bool(conn.execute("PRAGMA application_id").fetchone() == (_RESULTS,))
    except sqlite3.Error:
        return False


def needed(executable: str, argv: Sequence[str], directory: str | None, granted: Iterable[str]) -> Iterator[str]:
    """The paths that the engine cannot do without: itself, what its command names, and what is granted.

    Also the files beside it, such as its weights, unless it lies among the programs of the system.
    """
    started = (executable, *_started(executable, argv, directory))
    programs = list(dict.fromkeys(path for program in started for path in _programs(program, _HOPS)))
    scripts = [os.path.abspath(os.path.join(directory or os.getcwd(), word)) for word in argv[1:]]
    scripts = [path for path in scripts if os.path.isfile(path)]
    yield from (*programs, *scripts)
    for word in argv[1:]:
        yield from _named(word, directory or os.getcwd())
    yield from (path for path in map(os.path.abspath, granted) if os.path.exists(path))
    if directory is not None:
        yield os.path.abspath(directory)
    for folder in dict.fromkeys(os.path.dirname(path) for path in (*programs, *scripts)):
        if os.path.basename(folder) == "bin":
            beside = (os.path.join(os.path.dirname(folder), name) for name in ("lib", "pyvenv.cfg"))
            yield from (path for path in beside if os.path.exists(path))
        if not any(folder == path or folder.startswith(path + os.sep) for path in SYSTEM) and not too_wide(folder):
            if not os.path.isdir(folder):  # of an interpreter that is not there: the start will say so
                continue
            with os.scandir(folder) as entries:
                files = [entry.path for entry in entries if entry.is_file() and not entry.name.startswith(".")]
            yield from (path for path in files if not is_of_results(path))


def _started(executable: str, argv: Sequence[str], directory: str | None) -> Iterator[str]:
    """The programs that a command names behind its first word, such as an adapter's engine, a virtual environment's
    Python, or what `env -i NAME=value ./engine` starts."""
    path = os.environ.get("PATH", os.defpath)
    by_env = os.path.basename(executable) == "env"
    for word in argv[1:]:
        name, equals, value = word.partition("=")
        if by_env and equals and name == "PATH":
            path = value
        elif not equals and not word.startswith("-") and (by_env or os.sep in word):
            program = find(word, path, directory)
            yield from () if program is None else (program,)
            by_env = False


def _beginning(start: str) -> Iterator[str]:
    folder, prefix = os.path.split(start)
    try:
        names = os.listdir(folder)
    except OSError:
        return
    yield from (os.path.join(folder, name) for name in sorted(names) if name.startswith(prefix))


def too_wide(directory: str) -> bool:
    """True if a folder contains the home or the temporary directory, so that a guess must not grant it."""
    real = os.path.realpath(directory)
    return any(
        os.path.commonpath((real, os.path.realpath(folder))) == real
        for folder in (os.path.expanduser("~"), tempfile.gettempdir())
        if os.path.isabs(folder)
    )


def _unless_wide(directory: str) -> list[str]:
    return [] if too_wide(directory) else [directory]


def _of_program(executable: str, hops: int) -> Iterator[str]:
    """The folders of the program, its links and its `#!` interpreter, and the libraries beside each `bin`."""
    for path in _programs(executable, hops):
        folder = os.path.dirname(path)
        yield from _unless_wide(folder) or (path,)
        if os.path.basename(folder) == "shims":
            # pyenv, rbenv, asdf: the program is a script that searches the real one beside `shims`.
            yield from _unless_wide(os.path.dirname(folder))
        if os.path.basename(folder) == "bin":
            prefix = os.path.dirname(folder)
            yield from (os.path.join(prefix, name) for name in ("lib", "lib64", "conf", "release", "pyvenv.cfg"))


def _programs(executable: str, hops: int) -> Iterator[str]:
    """The program, its links, the Python that its virtual environment was made from, and its `#!` interpreter."""
    for path in dict.fromkeys((*_links(executable), os.path.realpath(executable))):
        yield path
        folder = os.path.dirname(path)
        home = _venv_home(os.path.dirname(folder)) if os.path.basename(folder) == "bin" else None
        if home and hops:
            yield from _programs(os.path.join(home, os.path.basename(os.path.realpath(path))), 0)
    interpreter = _shebang(executable)
    if interpreter and hops:
        yield from _programs(interpreter, hops - 1)


def _links(path: str) -> Iterator[str]:
    for _ in range(_HOPS):
        yield path
        if not os.path.islink(path):
            return
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))


def _venv_home(prefix: str) -> str | None:
    """The folder of the Python that a virtual environment was made from, None if there is none."""
    try:
        with open(os.path.join(prefix, "pyvenv.cfg"), encoding="utf-8", errors="replace") as file:
            for line in file.read(65536).splitlines():
                key, _, value = line.partition("=")
                if key.strip() == "home" and os.path.isabs(value.strip()):
                    return value.strip()
    except OSError:
        pass
    return None


def _shebang(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            start = file.read(256)
    except OSError:
        return None
    if not start.startswith(b"#!"):
        return None
    words = os.fsdecode(start[2:].partition(b"\n")[0]).split()
    if not words:
        return None
    if os.path.basename(words[0]) == "env":
        # `env -S python3 -u` and `env NAME=value python3` have other words before the program.
        program = next((word for word in words[1:] if not word.startswith("-") and "=" not in word), None)
        return shutil.which(program) if program else None
    return words[0] if os.path.isabs(words[0]) else None


def _named(word: str, directory: str) -> Iterator[str]:
    """The existing paths in a word of the command: `FILE`, `--net=FILE`, `-Dpath=A:B`, `A.jar:B.jar`, `@FILE`."""
    value = word.partition("=")[2]
    for text in dict.fromkeys((word, value, *word.split(":"), *value.split(":"), word.removeprefix("@"))):
        if not text or "\0" in text:
            continue
        path = os.path.abspath(os.path.join(directory, text.removesuffix("/*")))
        if os.path.isfile(path):
            yield path
        elif os.path.isdir(path) and os.sep in text and not too_wide(path):
            # A word without a slash, such as `random`, may equal a folder's name by accident.
            yield path
