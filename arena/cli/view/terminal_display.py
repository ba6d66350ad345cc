"""The display of `arena play`: prints on stdout, asks on stdin, which may be a terminal or a pipe."""

import os
import select
import sys
import time

from arena.cli import errors, output
from arena.cli.errors import BadInput
from arena.games.board_drawing import DrawnBoard


class TerminalDisplay:
    """See `arena.human.terminal.Display`."""

    def __init__(self, ascii_only: bool = False) -> None:
        """Raises BadInput where stdin is closed."""
        if sys.stdin is None:
            raise BadInput("stdin is closed: a person types there")
        self.program = output.program()
        self._ascii_only = ascii_only
        self._typed = bytearray()

    def line(self, text: str = "") -> None:
        output.echo(text)

    def sentence(self, text: str, indent: int = 0) -> None:
        output.echo_sentence(text, indent)

    def draw(self, board: DrawnBoard) -> None:
        output.draw(board, output.glyphs(self._ascii_only))

    def ask(self, prompt: str, wait_ns: int | None) -> str | None:
        output.echo_lines(prompt, end="")
        sys.stdout.flush()
        source = sys.stdin.fileno()
        deadline = None if wait_ns is None else time.monotonic() + max(0, wait_ns) / 1e9
        while b"\n" not in self._typed:
            wait = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([source], [], [], wait)[0]:
                raise TimeoutError
            data = os.read(source, 4096)
            if not data:
                output.echo()
                return None
            self._typed.extend(data)
        line, _, rest = bytes(self._typed).partition(b"\n")
        self._typed[:] = rest
        return line.decode("utf-8", "replace")

    def explain(self, error: Exception) -> str | None:
        return errors.explained(error)
