"""What an engine may read without being asked: the system's files, and the folders of the files that its command names.

Paths are resolved as the kernel resolves them. No file of an engine is opened but for the first line of a script, and
none decides what may be read: a link or an interpreter that leads elsewhere is named in `left_out`.
"""

import itertools
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from typing import Final, NamedTuple

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_CONFIGURATION: Final = (
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
_JAVA: Final = "java"
"""Debian's JDK keeps its settings in /etc/java-17-openjdk and the like."""
KERNEL: Final = ("/proc", "/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm")
_MOST_BESIDE: Final = 200
"""How many files beside a program are looked at to find out who may read them."""


class Reads(NamedTuple):
    """What one engine may read, and what it might miss."""

    paths: tuple[str, ...]
    """Existing files and folders, without links in them."""
    left_out: tuple[str, ...]
    """What its program or its script leads to, and it may not read."""
    aliases: tuple[tuple[str, str], ...]
    """Folders that are links, as they are written in the command, and where they lead."""


def find(program: str, path: str, directory: str | None) -> str | None:
    """The path of a command's first word, found as exec does. None if there is no such program."""
    if os.sep not in program:
        return shutil.which(program, path=path)
    place = os.path.join(directory or _here(), program)
    return place if os.path.isfile(place) and os.access(place, os.X_OK) else None


def readable(program: str, argv: Sequence[str], directory: str | None, granted: Sequence[str], path: str) -> Reads:
    """What the engine with this command may read. `program` is argv[0] as `find` found it, `path` is its PATH."""
    written = [program, *_named(argv[1:], directory)]
    named = [entry(place) for place in written]
    asked = [*granted, *(() if directory is None else (directory,))]
    places = asked[:]
    for place in named:
        folder = os.path.dirname(place)
        own = [] if os.path.islink(place) else [place]  # what it leads to is not granted by a link alone
        places += own if os.path.isdir(place) else _unless_wide(folder) or own
        prefix = os.path.dirname(folder)
        if os.path.basename(folder) == "bin" and any(map(os.path.isfile, _of_prefix(prefix))):
            places += _unless_wide(prefix)
    paths = tuple(dict.fromkeys((*_system(), *_real(places))))
    needed = dict.fromkeys([*named, *(script for place in named if (script := _interpreter(place, path)))])
    left_out = dict.fromkeys(real for place in needed if not _is_in(real := os.path.realpath(place), paths))
    folders = {os.path.dirname(place) for place in written} | set(asked)
    aliases = {folder: os.path.realpath(folder) for folder in folders if os.path.normpath(folder) == folder}
    known = (*paths, *SYSTEM)
    is_alias = (pair for pair in aliases.items() if pair[0] != pair[1] and not _is_in(pair[0], known))
    return Reads(paths, tuple(left_out), tuple(is_alias))


def without(paths: Sequence[str], closed: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The same paths without the closed ones and the files beside those, each with True if it may only be listed.

    A folder that leads to a closed path becomes its entries, as they are now.
    """
    databases = [os.path.realpath(path) for path in closed]
    todo = list(reversed(paths))
    while todo:
        path = todo.pop()
        if any(path == each or (path.startswith(each + "-") and not os.path.isdir(path)) for each in databases):
            continue
        is_above = any(_is_in(each, (path,)) for each in databases)
        yield path, is_above
        if is_above:
            with suppress(OSError), os.scandir(path) as entries:
                todo += [each.path for each in entries if not each.is_symlink()]


def everybody_may_read(
    program: str, argv: Sequence[str], directory: str | None, granted: Sequence[str], path: str
) -> bool:
    """True if a user without rights may read the engine: its program and script, what lies beside them, its grants.

    Looks at modes only.
    """
    named = [entry(place) for place in (program, *_named(argv[1:], directory))]
    needed = [*named, *granted, *(() if directory is None else (directory,))]
    needed += [script for place in named if (script := _interpreter(place, path))]
    for folder in dict.fromkeys(map(os.path.dirname, named)):
        if not _is_in(folder, SYSTEM) and not is_wide(folder):
            with suppress(OSError), os.scandir(folder) as entries:
                # What a link leads to is granted only if it lies in another place that is looked at.
                shown = (each for each in entries if not each.name.startswith("."))
                files = (each for each in shown if each.is_file(follow_symlinks=False))
                needed += [each.path for each in itertools.islice(files, _MOST_BESIDE) if not _is_db(each.name)]
    return all(map(may_everybody_read, needed))


def is_wide(folder: str) -> bool:
    """True if a folder contains the home or the temporary directory, so that it is never granted unasked."""
    real = os.path.realpath(folder)
    wide = map(_realpath, (os.path.expanduser("~"), tempfile.gettempdir()))
    return any(os.path.commonpath((real, place)) == real for place in wide if os.path.isabs(place))


_realpath: Final = lru_cache(maxsize=8)(os.path.realpath)
"""For the places of the machine, which stay as they are; each start of an engine asks for them."""


@cache
def _system() -> tuple[str, ...]:
    """What every engine may read."""
    ours = (*_unless_wide(sys.prefix), *_unless_wide(sys.base_prefix))
    return tuple(dict.fromkeys(_real((*SYSTEM, *_CONFIGURATION, *_java(), *ours))))


def _real(places: Iterable[str]) -> Iterator[str]:
    return (os.path.realpath(place) for place in places if os.path.exists(place))


def _is_db(name: str) -> bool:
    """A database is closed to engines, and so are the files beside it."""
    return ".db" in name or ".sqlite" in name


def entry(path: str) -> str:
    """An absolute path with all links resolved but a last one."""
    folder, name = os.path.split(path if os.path.isabs(path) else os.path.join(_here(), path))
    return os.path.join(os.path.realpath(folder), name)


def _named(words: Sequence[str], directory: str | None) -> Iterator[str]:
    """The files and folders that the words of a command name: `FILE`, `--net=FILE`, `-cp A.jar:B.jar`, `@FILE`."""
    for word in words:
        value = word.partition("=")[2]
        for text in dict.fromkeys((word, value, *word.split(":"), *value.split(":"), word.removeprefix("@"))):
            if not text or "\0" in text:
                continue
            path = os.path.join(directory or _here(), text.removesuffix("/*"))
            # A word without a slash, such as `random`, may equal a folder's name by accident.
            if os.path.isfile(path) or (os.sep in text and os.path.isdir(path) and not is_wide(path)):
                yield path.rstrip(os.sep)


def _interpreter(script: str, path: str) -> str | None:
    """What a `#!` line names."""
    if not os.access(script, os.X_OK):
        return None
    try:
        with open(script, "rb") as file:
            start = file.read(256)
    except OSError:
        return None
    words = os.fsdecode(start[2:].partition(b"\n")[0]).split() if start.startswith(b"#!") else []
    if words and os.path.basename(words[0]) == "env":
        program = next((word for word in words[1:] if not word.startswith("-") and "=" not in word), "")
        return shutil.which(program, path=path) if program else None
    return words[0] if words and os.path.exists(words[0]) else None


def _of_prefix(folder: str) -> Iterator[str]:
    """The files that say that a folder is a virtual environment of Python, or a JDK."""
    return (os.path.join(folder, name) for name in ("pyvenv.cfg", "release"))


def _java() -> Iterator[str]:
    with suppress(OSError):
        yield from (f"/etc/{name}" for name in os.listdir("/etc") if name.startswith(_JAVA))


def _unless_wide(folder: str) -> list[str]:
    return [] if is_wide(folder) else [folder]


def _is_in(path: str, places: Sequence[str]) -> bool:
    return any(path == place or path.startswith(os.path.join(place, "")) for place in places)


def may_everybody_read(path: str) -> bool:
    """True if a user without rights may read this file or list this folder, and reach it."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) or mode & stat.S_IXUSR else 0)
    return mode & wanted == wanted and may_everybody_reach(path)


def may_everybody_reach(path: str) -> bool:
    """True if a user without rights may pass all folders on the way to this path."""
    folder = os.path.dirname(os.path.realpath(path))
    try:
        while folder != os.path.dirname(folder):
            if not os.stat(folder).st_mode & stat.S_IXOTH:
                return False
            folder = os.path.dirname(folder)
    except OSError:
        return False
    return True


def _here() -> str:
    """The working directory; the root if it is gone, where nothing relative is found."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return os.sep
