"""The command line of an adapter that starts a program of others."""

import argparse
from collections.abc import Sequence


def parsed(parser: argparse.ArgumentParser, arguments: Sequence[str] | None, example: str) -> argparse.Namespace:
    """The arguments, the program's command as `command`, a list with one word at least. Ends the process without it."""
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the command that starts the engine")
    options = parser.parse_args(arguments)
    if not options.command:
        parser.error(f"name the command of the engine, such as: {example}")
    return options
