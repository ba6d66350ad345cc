"""How many columns of a terminal a text takes, texts fitted to columns (kanji and most emoji take two), and counts.

Refuses to know terminals; who prints says which signs can be printed.
"""

from collections.abc import Iterable


def columns(text: str) -> int:
    """How wide a text is."""
    if text.isascii():
        return len(text)
    # Late, because most names are ASCII and rich takes longer to load than a command to run.
    from rich.cells import cell_len

    return cell_len(text)


def padded(text: str, width: int) -> str:
    """A text with blanks behind it, `width` columns in all; a wider one stays as it is."""
    return text + " " * (width - columns(text))


def shortened(names: Iterable[str], most: int) -> dict[str, str]:
    """Each name in at most so many columns; those that are alike as far as there is room for them end in a number."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        short, count = cut(name, most), 1
        while short in taken:
            count += 1
            short = f"{_first(name, most - 1 - len(str(count)))}…{count}"
        taken.add(short)
        found[name] = short
    return found


def some_games(count: int) -> str:
    """`1 game`, `2 games`."""
    return f"{count} game{'s' * (count != 1)}"


def cut(text: str, most: int) -> str:
    """A text in at most so many columns, with an ellipsis where something is missing."""
    return text if columns(text) <= most else _first(text, most - 1) + "…"


def _first(text: str, most: int) -> str:
    while columns(text) > most:
        text = text[:-1]
    return text


def replaced(error: UnicodeError) -> tuple[str, int]:
    """What stands for signs that an encoding lacks, as wide as they are, so that columns stay under one another.

    An error handler for `codecs.register_error`.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "~".join("?" * columns(part) for part in lacking.split("…")), error.end
