"""The width of a text in columns of a terminal, and texts fitted to a width. Kanji and most emoji take two columns."""

from collections.abc import Iterable

from results.safe_text import harmless


def columns(text: str) -> int:
    """The width of a text in columns."""
    if text.isascii():
        return len(text)
    # Imported late: most names are ASCII, and loading rich takes longer than a command.
    from rich.cells import cell_len

    return cell_len(text)


def padded(text: str, width: int) -> str:
    """The text with blanks after it, `width` columns in all. A wider text stays as it is."""
    return text + " " * (width - columns(text))


def shortened(names: Iterable[str], most: int) -> dict[str, str]:
    """Each name, harmless, in at most `most` columns. Names that would become equal end in a number."""
    short_names: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        short, count = cut(name, most), 1
        while short in taken:
            count += 1
            short = f"{_first(name, most - 1 - len(str(count)))}…{count}"
        taken.add(short)
        short_names[name] = short
    return short_names


def some_games(count: int) -> str:
    """`1 game`, `2 games`."""
    return f"{count} game{'s' * (count != 1)}"


def cut(text: str, most: int) -> str:
    """The text, harmless, in at most `most` columns. It ends in an ellipsis if something is missing."""
    text = harmless(text)
    return text if columns(text) <= most else _first(text, most - 1) + "…"


def _first(text: str, most: int) -> str:
    text = text[: max(most, 0)]  # no sign takes less than a column, but for those that stand above another
    while columns(text) > most:
        text = text[:-1]
    return text


def replaced(error: UnicodeError) -> tuple[str, int]:
    """An error handler for `codecs.register_error`: signs that an encoding lacks become `?`, as wide as they are."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "~".join("?" * columns(part) for part in missing.split("…")), error.end
