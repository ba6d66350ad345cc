"""The command line of an adapter that starts a program of others."""

import argparse
import sys
from collections.abc import Callable, Sequence

from engines.adapters.line_process import ProgramFailed


def parsed(parser: argparse.ArgumentParser, arguments: Sequence[str] | None, example: str) -> argparse.Namespace:
    """The arguments, the program's command as `command`, a list with one word at least. Ends the process without it."""
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the command that starts the engine")
    options = parser.parse_args(arguments)
    if not options.command:
        parser.error(f"name the command of the engine, such as: {example}")
    return options


def ended(adapter: str, play: Callable[[], None]) -> int:
    """The exit code of `adapter`, which plays to its end. What went wrong with the program is said on stderr."""
    try:
        play()
    except ProgramFailed as error:
        print(f"{adapter}: {error}", *error.last_lines, sep="\n", file=sys.stderr)
        return error.status
    except BrokenPipeError:
        pass
    return 0
