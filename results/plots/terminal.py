"""The pictures of `svg` for a terminal: lines of text without colour, of a given width.

They take plain figures and are independent of games and ratings.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from results.plots.scale import Scale, ticks
from results.plots.svg import Cell, Interval, Point
from results.tables.text_width import columns, padded, shortened

SHADES = " ░▒▓█"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LEAST_BAR = 10
"""The narrowest drawing of intervals, in columns."""
_ARROW = 2
"""The columns that an arrow needs beyond all marks."""
_SHORT = 12
"""The columns of a name that tell most engines apart. If there is less room, notes lose their second part."""


def intervals(rows: Sequence[Interval], unit: str, width: int = 100, *, plain: bool = False) -> list[str]:
    """A line for each row, as `name   ├────●────┤   note`, and an axis below. With `plain` it is ASCII only."""
    bar, left, right, mark = ("-", "|", "|", "o") if plain else ("─", "├", "┤", "●")
    names, notes = _labels(rows, width)
    before = max(map(columns, names), default=0) + 2
    room = max(_LEAST_BAR, width - before - 2 - max(map(columns, notes), default=0))
    figures = [figure for row in rows for figure in (row.value, row.lower, row.upper) if math.isfinite(figure)] or [0.0]
    low, high = min(figures), max(figures)
    first = _ARROW * any(math.isinf(row.lower) for row in rows)
    last = room - 1 - _ARROW * any(math.isinf(row.upper) for row in rows)
    scale = Scale(low, high if high > low else low + 1, first, last)
    lines = []
    for name, note, row in zip(names, notes, rows, strict=True):
        at = [" "] * room
        start = 0 if math.isinf(row.lower) else round(scale.at(row.lower))
        end = room - 1 if math.isinf(row.upper) else round(scale.at(row.upper))
        at[start : end + 1] = [bar] * (end + 1 - start)
        at[start] = "<" if math.isinf(row.lower) else left
        at[end] = ">" if math.isinf(row.upper) else right
        at[round(scale.at(row.value))] = mark
        lines.append(f"{padded(name, before)}{''.join(at)}  {note}".rstrip())
    lines.append((" " * before + axis(scale, room) + f"  {unit}").rstrip())
    return lines


def _labels(rows: Sequence[Interval], width: int) -> tuple[list[str], list[str]]:
    """Names and notes. They are shortened if they leave less than a quarter of the width for the drawing."""
    longest = max((columns(row.name) for row in rows), default=0)
    for notes in ([row.note for row in rows], [row.note.partition(", ")[0] for row in rows]):
        most = width - max(width // 4, _LEAST_BAR) - max(map(columns, notes), default=0) - 4
        if most >= min(longest, _SHORT):
            break
    short = shortened((row.name for row in rows), max(most, _SHORT // 2))
    return [short[row.name] for row in rows], notes


def axis(scale: Scale, room: int, *, whole: bool = False) -> str:
    """Round figures below their places, as many as fit. With `whole` they are whole numbers."""
    line = [" "] * room
    free = 0
    for value in ticks(scale.low, scale.high, whole=whole):
        text = f"{value:g}"
        at = round(scale.at(value)) - len(text) // 2
        if at >= free and at + len(text) <= room:
            line[at : at + len(text)] = text
            free = at + len(text) + 1
    return "".join(line)


def curves(
    series: Mapping[str, Sequence[Point]], x_unit: str, y_unit: str, width: int = 100, rows: int = 18
) -> list[str]:
    """A letter for each curve on a field of characters. The names of the letters stand below."""
    points = [point for line in series.values() for point in line]
    if not points:
        return ["nothing to draw"]
    room = max(20, width - 10 - len(f" {x_unit}"))
    lowest, highest = min(point.y for point in points), max(point.y for point in points)
    first, last = min(point.x for point in points), max(point.x for point in points)
    across = Scale(first, last, 0, room - 1) if last > first else Scale(first - 0.5, first + 0.5, 0, room - 1)
    up = Scale(lowest, highest if highest > lowest else lowest + 1, rows - 1, 0)
    drawn = [_places(line, across, up) for line in series.values()]
    shown = _shown(drawn)
    field = [[" "] * room for _ in range(rows)]
    for (row, column), number in shown.items():
        field[row][column] = LETTERS[number % len(LETTERS)]
    marks = {round(up.at(value)): f"{value:g}" for value in ticks(up.low, up.high, 5)}
    lines = [y_unit]
    lines += [f"{marks.get(number, ''):>8} |{''.join(row)}".rstrip() for number, row in enumerate(field)]
    lines += [" " * 9 + "+" + "-" * room, " " * 10 + axis(across, room, whole=True) + f" {x_unit}"]
    seen = set(shown.values())
    for number, (name, places) in enumerate(zip(series, drawn, strict=True)):
        under = "" if number in seen or not places else f" (under {LETTERS[shown[places[-1]] % len(LETTERS)]})"
        lines.append(f"  {LETTERS[number % len(LETTERS)]} {name}{under}")
    return lines


def _places(line: Sequence[Point], across: Scale, up: Scale) -> list[tuple[int, int]]:
    """The places, as row and column, through which a curve goes."""
    places: dict[tuple[int, int], None] = {}
    for a, b in zip(line, [*line[1:], *line[-1:]], strict=True):
        start, end = round(across.at(a.x)), round(across.at(b.x))
        for column in range(start, end + 1):
            part = 0.0 if end == start else (column - start) / (end - start)
            places[round(up.at(a.y + (b.y - a.y) * part)), column] = None
    return list(places)


def _shown(curves: Sequence[Sequence[tuple[int, int]]]) -> dict[tuple[int, int], int]:
    """The curve that is shown at each place. Curves that share places take turns, so that each one is seen."""
    through: dict[tuple[int, int], list[int]] = {}
    for number, places in enumerate(curves):
        for place in places:
            through.setdefault(place, []).append(number)
    shown = {place: numbers[place[1] % len(numbers)] for place, numbers in through.items()}
    times = Counter(shown.values())
    for number, places in enumerate(curves):
        spare = [place for place in places if times[shown[place]] > 1]
        if not times[number] and spare:
            times[shown[spare[-1]]] -= 1
            times[number] += 1
            shown[spare[-1]] = number
    return shown


def heat(names: Sequence[str], cells: Sequence[Sequence[Cell | None]], *, plain: bool = False) -> list[str]:
    """Row against column: the share of the points in percent, with shades unless `plain`."""
    wide = max((columns(name) for name in names), default=0)
    lines = [" " * (wide + 4) + "".join(f"{number:>7}" for number in range(1, len(names) + 1))]
    for number, (name, row) in enumerate(zip(names, cells, strict=False), 1):
        fields = []
        for column, cell in enumerate(row[: len(names)], 1):
            if cell is None:
                field = "-" if column == number else ""
            else:
                shade = "" if plain else SHADES[min(4, round(cell.share * 4))]
                field = f"{cell.percent}{shade * 2}"
            fields.append(f"{field:>7}")
        lines.append(f"{number:>2}  {padded(name, wide)}{''.join(fields)}".rstrip())
    return lines
