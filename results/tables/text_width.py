"""The width of a text in columns of a terminal, and texts fitted to a width. Kanji and most emoji take two columns."""

from collections.abc import Collection, Iterable, Sequence

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


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = (), gap: int = 2) -> list[str]:
    """Rows as lines with aligned columns, `gap` blanks between them; the columns in `right` are flush right.

    What a cell holds is made harmless.
    """
    rows = [[harmless(cell) for cell in row] for row in rows]
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return [
        (" " * gap)
        .join(
            " " * (width - columns(cell)) + cell if number in right else padded(cell, width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in rows
    ]


def shortened(names: Iterable[str], most: int) -> dict[str, str]:
    """Each name, harmless, in at most `most` columns.

    Names that would become equal, such as those of one engine with two options, keep what differs: `storn…Hash=16`. If
    there is no room for that, they end in a number.
    """
    short_names: dict[str, str] = {}
    taken: set[str] = set()
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        alike.setdefault(cut(name, most), []).append(name)
    for short, group in alike.items():
        start = next(
            (at for at, signs in enumerate(zip(*group, strict=False)) if len({*signs}) > 1), min(map(len, group))
        )
        for name in group:
            # The whole word of an option, if there is room for it.
            word = max(name.rfind(sign, 0, start + 1) + 1 for sign in ":, ") or start
            ends = (harmless(name[at:]) for at in (word, start))
            part = next((end for end in ends if columns(end) < most - 3), "")
            wanted = f"{_first(harmless(name), most - 1 - columns(part))}…{part}" if len(group) > 1 and part else short
            number = 1
            while wanted in taken:
                number += 1
                wanted = f"{_first(harmless(name), most - 1 - len(str(number)))}…{number}"
            taken.add(wanted)
            short_names[name] = wanted
    return short_names


def some(count: int, noun: str) -> str:
    """`1 opening`, `2 openings`."""
    return f"{count} {noun}{'s' * (count != 1)}"


def some_games(count: int) -> str:
    """`1 game`, `2 games`."""
    return some(count, "game")


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
