"""How commands print: a console that keeps quiet about closed pipes, columns of plain text, boards."""

import contextlib
import logging
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from arena.cli import wrap
from arena.cli.errors import BadInput, reader_is_gone, silence
from arena.whole_file import check_target, write_whole
from results.safe_text import harmless, harmless_lines
from results.tables.text_width import aligned, columns

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from arena.games.board_drawing import DrawnBoard, Glyphs
    from arena.games.kind import Lang

STDOUT = Path("-")
"""The name of stdout where an option names a file."""


def console(stderr: bool = False) -> "Console":
    """A console on which no text steers the terminal. On stdout it leaves a closed pipe to the command line's frame."""
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class PlainConsole(Console):
        def on_broken_pipe(self) -> None:
            if stderr:
                super().on_broken_pipe()
            raise BrokenPipeError

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            # The net below all tables: names were made harmless before, so that columns are as wide as they look.
            for segment in super().render(renderable, options):
                yield segment if segment.control else segment._replace(text=harmless_lines(segment.text))

    # rich believes that a dumb terminal has 80 columns, unless it is told both sizes.
    is_dumb = os.environ.get("TERM", "") in ("dumb", "unknown")
    width = wrap.terminal_width(sys.stderr if stderr else sys.stdout) if is_dumb else None
    height = None if width is None else 25
    return PlainConsole(stderr=stderr, highlight=False, emoji=False, width=width, height=height)


def glyphs(ascii_only: bool, lang: "Lang" = "en") -> "Glyphs":
    """The signs that stdout can carry."""
    from arena.games import board_drawing

    return board_drawing.glyphs_for(sys.stdout.encoding, ascii_only, lang)


def refuse_without_japanese() -> None:
    """Refuse `--lang ja` where stdout cannot write Japanese. Raises BadInput."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        "石".encode(encoding)
    except UnicodeEncodeError as error:
        raise BadInput(
            f"--lang ja: the output's encoding {encoding} has no Japanese; set PYTHONIOENCODING=utf-8 or use --lang en"
        ) from error


def echo(line: str = "", *, bold: bool = False, dim: bool = False) -> None:
    """Print one line, harmless; signs that stdout's encoding lacks are replaced as wide as they are.

    `typer.echo` writes UTF-8 where the encoding is ASCII, so that what it prints beside a table is not like the table.
    """
    sign = "1" if bold else "2" if dim else ""
    if sign and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        print(f"\x1b[{sign}m{harmless(line)}\x1b[0m", flush=True)
    else:
        echo_lines(harmless(line))


def width() -> int:
    """The columns of the terminal; 80 where there is none, unless COLUMNS says otherwise."""
    return shutil.get_terminal_size().columns


def echo_json(value: object) -> None:
    """Print computed figures as JSON."""
    from results.tables.to_json import json_text

    echo_lines(json_text(value))


def echo_lines(text: str, end: str = "\n") -> None:
    """Print lines, as `echo` prints one. A name in them must have been made harmless: it might have a line break."""
    print(harmless_lines(text), end=end, flush=True)


def write_data(data: str | bytes) -> None:
    """Write to stdout what another program reads, as UTF-8 in any terminal."""
    typer.echo(data.encode(errors="backslashreplace") if isinstance(data, str) else data, nl=False)


def check_files(files: Mapping[str, Path | None], as_json: bool = False) -> bool:
    """Refuse files, by their options, that cannot be written, before any work is done for them; `-` is stdout.

    True if one of them is stdout. Raises BadInput where several things are to be printed there.
    """
    printed = [f"{flag} -" for flag, path in files.items() if path == STDOUT]
    if len(printed) + as_json > 1:
        both = " and ".join(printed + ["--json"] * as_json)
        raise BadInput(f"{both} cannot be printed together; name a file instead of -")
    for flag, path in files.items():
        if path is not None and path != STDOUT:
            check_target(path, flag)
    return bool(printed)


def write_file(path: Path, text: str | Iterable[str]) -> None:
    """Write a file that `check_files` has let pass."""
    if path != STDOUT:
        write_whole(path, text)
        return
    for piece in (text,) if isinstance(text, str) else text:
        write_data(piece)


def echo_sentence(text: str, indent: int = 0) -> None:
    """Print a sentence on stdout. On a terminal it takes as many lines as it needs; the further ones are indented."""
    echo_lines(wrap.sentence(harmless(text), sys.stdout, indent))


def say(line: str) -> None:
    """Print a sentence on stderr, so that stdout has nothing but what was asked for."""
    _to_stderr(wrap.sentence(harmless(line), sys.stderr))


def _to_stderr(text: str) -> None:
    """Print on stderr. A run goes on without if nobody reads that any more (`2>&1 | head`), or if its disk is full."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


@contextlib.contextmanager
def read_or_not() -> Iterator[None]:
    """What the block prints may be read by nobody, as by `head`: the command goes on, and its exit code is as usual."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        if not reader_is_gone():
            raise


def say_command(command: str, before: str = "") -> None:
    """Print a command on stderr, and what is said before it. A command is never broken: people copy it."""
    _to_stderr(harmless(f"{before} {command}" if before else command))


def shell_word(path: Path) -> str:
    """The path as a word for a shell, with ~ for the home folder: that keeps most commands in one line."""
    home = os.path.expanduser("~")
    if len(home) > 1 and path.is_relative_to(home):
        return f"~/{shlex.quote(str(path.relative_to(home)))}"
    text = str(path)
    return shlex.quote(f"./{text}" if text.startswith("-") else text)


def program() -> str:
    """`arena`, or the path by which it was started where a shell does not find it by that name: so in `make demo`."""
    started = Path(sys.argv[0])
    by_path = started.name == "arena" and os.sep in sys.argv[0]
    return shell_word(started) if by_path and shutil.which("arena") is None else "arena"


def over_echo() -> None:
    """Let the next line on a terminal replace the `^C` that it echoed."""
    if sys.stderr.isatty():
        sys.stderr.write("\r")


class LogPrinter(logging.Handler):
    """Prints what is logged for the user, as sentences on stderr; while there is a screen, above that."""

    def __init__(self) -> None:
        super().__init__()
        self._say: Callable[[str], None] = say

    def emit(self, record: logging.LogRecord) -> None:
        self._say(f"arena: {'warning: ' if record.levelno >= logging.WARNING else ''}{record.getMessage()}")

    @contextlib.contextmanager
    def printed_by(self, say: Callable[[str], None]) -> Iterator[None]:
        """Sentences go there while the block runs."""
        before, self._say = self._say, say
        try:
            yield
        finally:
            self._say = before


LOG, SENTENCES = logging.getLogger("arena"), LogPrinter()
LOG.setLevel(logging.INFO)
LOG.addHandler(SENTENCES)


def notify(sentence: str) -> None:
    """Tell the user, on stderr, what a command has to say beside what it prints."""
    say(f"arena: {sentence}")


def warn(sentence: str) -> None:
    """Tell the user of a danger, in red where stderr is a terminal."""
    text = wrap.sentence(harmless(f"arena: warning: {sentence}"), sys.stderr)
    _to_stderr(f"\x1b[31m{text}\x1b[0m" if sys.stderr.isatty() else text)


def rich_text(board: "DrawnBoard", signs: "Glyphs") -> "Text":
    """A board as lines of text with colours."""
    from rich.text import Text

    from arena.games import board_drawing

    return Text.assemble(*board_drawing.styled(board, signs), no_wrap=True, end="")


def draw(board: "DrawnBoard", signs: "Glyphs", lang: "Lang" = "en") -> None:
    """Print a board and what its signs mean."""
    from arena.games import board_drawing

    out = console()
    out.print(rich_text(board, signs), end="", soft_wrap=True)
    key = board_drawing.legend(board, signs, lang)
    if key:
        out.print("\n".join(legend_lines(key, max(out.width, 40))), markup=False, soft_wrap=True)


def legend_lines(key: str, width: int) -> list[str]:
    """A board's legend as lines of at most `width` columns, broken between two entries."""
    lines = [""]
    for entry in key.split("   "):
        joined = f"{lines[-1]}   {entry}" if lines[-1] else entry
        lines[-1:] = [joined] if columns(joined) <= width else [lines[-1], entry]
    return lines if key else []


def table(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """Rows as lines with aligned columns, of which those in `right` are flush right. Cells are made harmless."""
    return "".join(f"{line}\n" for line in aligned(rows, right))


def print_table(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> None:
    """Print a table."""
    echo_lines(table(rows, right), end="")
