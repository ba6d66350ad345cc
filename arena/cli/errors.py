"""How a command ends when it fails: the exceptions that users can do something about, their sentences and exit codes.

Every exception that is not named here is a bug of ours and keeps its traceback.
"""

import codecs
import contextlib
import errno
import io
import os
import select
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, TextIO

import typer

from arena.cli import usage, wrap
from results.safe_text import harmless, harmless_lines
from results.store import disk
from results.tables.text_width import cut, replaced

NOT_KEPT = 5
INTERRUPTED = 130
EXIT_CODES = {
    0: "the command succeeded",
    1: "a disagreement or a failed check",
    2: "bad input",
    3: "an engine cannot be started, or nobody answers at an address",
    4: "games were left out: an engine was withdrawn, or they never had a result",
    NOT_KEPT: "results could not be stored",
    INTERRUPTED: "interrupted",
}
"""Every exit code and what it means, for the help and docs/reference/COMMANDS.md."""
_LONGEST = 1_000
"""The most columns of a line that are printed."""
LACKING = "arena-columns"
"""The error handler of stdout, for characters that its encoding lacks."""
_OUTPUT_FAULTS = disk.NO_ROOM | {errno.EIO}
"""Errors of a write to a stream without a name."""

_FILES_FAULTS = frozenset({errno.EMFILE, errno.ENFILE})
_CLOSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_WRONG_PLACES = {errno.ENOENT: " does not exist: check the path", errno.EISDIR: " is a folder: name a file in it"}


class CommandError(Exception):
    """Ends the command with `exit_code` after its one sentence; an empty one prints nothing."""

    exit_code: int


class CheckFailed(CommandError):
    """The command did what it should and found something wrong, which it has printed."""

    exit_code = 1


class BadInput(CommandError):
    """Input that cannot be used; the sentence names it and the remedy."""

    exit_code = 2


class CannotStartEngine(BadInput):
    """An engine that was asked for cannot be started."""

    exit_code = 3


class GamesLeftOut(CommandError):
    """A run came to its end, but not all of its games have a result."""

    exit_code = 4


def ending(error: Exception) -> tuple[int, str] | None:
    """Exit code and a harmless sentence for what users can do something about, None for a bug of ours.

    Any exception of ours that has an `exit_code` has such a sentence.
    """
    if (misuse := usage.sentence(error)) is not None:
        return BadInput.exit_code, harmless(misuse)
    if isinstance(error, typer.Exit):  # after --help and the like
        return error.exit_code, ""
    code = None if hasattr(error, "format_message") else getattr(error, "exit_code", None)
    if isinstance(code, int):
        # Each of several lines was made harmless before they were joined.
        return code, (harmless_lines if getattr(error, "has_lines", False) else harmless)(str(error))
    if isinstance(error, OSError) and error.filename is not None and error.errno in disk.NO_ROOM:
        name = os.fsdecode(error.filename)
        sentence = f"{name} cannot be written ({error.strerror}): {disk.remedy(Path(name), error.errno)}"
        return BadInput.exit_code, harmless(sentence)
    if isinstance(error, OSError) and error.errno in _FILES_FAULTS:
        return BadInput.exit_code, f"{error.strerror}: allow more (`ulimit -n`), or play fewer games at once"
    if isinstance(error, OSError) and error.filename is not None:
        why = f": {error.strerror}; check the path"
        if error.errno in _CLOSED:
            why = f": {error.strerror}; check its permissions and its folder's, or name another place"
        elif error.errno in _WRONG_PLACES:
            why = _WRONG_PLACES[error.errno]
        return BadInput.exit_code, harmless(os.fsdecode(error.filename) + why)
    if isinstance(error, MemoryError):
        return BadInput.exit_code, "no memory is left to this process: allow more (`ulimit -v`), or end other programs"
    if isinstance(error, OSError) and error.errno in _OUTPUT_FAULTS:
        return BadInput.exit_code, f"the output cannot be written ({error.strerror}): free space or write elsewhere"
    return None


def explained(error: Exception) -> str | None:
    """The harmless sentence for what users can do something about, None for a bug of ours."""
    known = ending(error)
    return None if known is None else known[1]


@contextlib.contextmanager
def framed() -> Iterator[None]:
    """Turns what happens inside into a sentence and an exit code; what was printed is written out at its end."""
    if not os.environ.get("COLUMNS", "1").strip("0"):  # rich would print nothing into no columns
        del os.environ["COLUMNS"]
    if sys.stdout is None:
        _leave(BadInput.exit_code, "stdout is closed: leave it open, or send it to a file or to /dev/null")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Characters that the terminal cannot show are replaced, as wide as they are, so that columns stay.
        codecs.register_error(LACKING, replaced)
        sys.stdout.reconfigure(errors=LACKING)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as error:
        if isinstance(error, BrokenPipeError) and reader_is_gone():
            sys.exit(0)
        known = ending(error)
        if known is None:
            raise
        if isinstance(error, OSError) and error.filename is None and error.errno in _OUTPUT_FAULTS:
            silence(sys.stdout)
        _leave(*known)


def _leave(code: int, sentence: str) -> NoReturn:
    if sentence:
        # Whatever it quotes: a name or a line of a file may be megabytes long.
        _say("\n".join(cut(line, _LONGEST) for line in f"arena: {sentence}".split("\n")))
    sys.exit(code)


def _say(sentence: str) -> None:
    """Print to stderr; where that fails, as into a file on a full disk, to stdout, and at last to the terminal."""
    if sys.stderr is not None:
        try:
            print(wrap.sentence(sentence, sys.stderr), file=sys.stderr, flush=True)
            return
        except OSError:
            silence(sys.stderr)
    for place in (1, "/dev/tty"):
        with contextlib.suppress(OSError), open(place, "wb", buffering=0, closefd=place != 1) as stream:
            stream.write(f"{sentence}\n".encode(errors="backslashreplace"))
            return


def reader_is_gone() -> bool:
    """Whether the other end of stdout is closed, as by `arena games | head`. Then nothing more is written to it."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)  # errors and hang-ups are reported unasked
    if not poll.poll(0):
        return False
    silence(sys.stdout)
    return True


def silence(stream: TextIO) -> None:
    """Let nothing more be written to it: Python flushes once more when it ends, and its exit code would be 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
