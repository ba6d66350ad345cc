"""What ends a command other than well: sentences for users and their exit codes, and which exceptions become them.

Exit codes: 1 a check failed, 2 the input was bad, 3 an engine cannot be started, 130 interrupted. Every exception that
is not named here is a bug of ours and keeps its traceback.
"""

import os
import select
import sys
from importlib import import_module

INTERRUPTED = 130


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


# By name, because most commands need none of these modules and loading them takes longer than the command.
_REFUSALS = (
    ("arena.config", "UnknownEngine", CannotStartEngine.exit_code),
    ("arena.config", "ConfigError", BadInput.exit_code),
    ("arena.games.rules", "RulesError", BadInput.exit_code),
    ("arena.limits", "BadLimit", BadInput.exit_code),
    ("arena.openings", "NoOpening", BadInput.exit_code),
    ("results.store", "StoreError", BadInput.exit_code),
    ("arena.scheduler", "WorkerLost", CheckFailed.exit_code),
)


def ending(error: Exception) -> tuple[int, str] | None:
    """Exit code and sentence for an exception that users can do something about, None for one that is our bug."""
    if isinstance(error, CommandError):
        return error.exit_code, str(error)
    for module, name, exit_code in _REFUSALS:
        # An exception can only come from a module that has been loaded.
        if module in sys.modules and isinstance(error, getattr(import_module(module), name)):
            return exit_code, str(error)
    if isinstance(error, OSError) and error.filename is not None:
        return BadInput.exit_code, f"{os.fsdecode(error.filename)}: {error.strerror}"
    return None


def reader_is_gone() -> bool:
    """Has whoever read our output stopped reading (`arena games | head`)? If so, let nothing more be written to it."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)  # errors and hang-ups are reported unasked
    if not poll.poll(0):
        return False
    # Python flushes once more when it ends and would complain there.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return True
