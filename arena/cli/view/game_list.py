"""Prints lists of games, and tables as CSV."""

import csv
import sys
from collections.abc import Iterable
from itertools import islice

from arena.cli import output
from results.safe_text import csv_row
from results.store.reader import Brief
from results.tables.game_list import HEADINGS, text_row

_LINES_AT_ONCE = 1000
"""How many lines of a list are aligned with each other. A list is printed while it is read, and may be very long."""


def print_csv(rows: Iterable[Iterable[object]]) -> None:
    """Print rows as CSV."""
    csv.writer(sys.stdout, lineterminator="\n").writerows(map(csv_row, rows))


def print_games(games: Iterable[Brief], disputed: bool = False) -> None:
    """Print a line for each game, as they are read; on a terminal with headings."""
    rest, head = iter(games), [(*HEADINGS, *[""] * disputed)] if sys.stdout.isatty() else []
    while rows := [text_row(game, disputed) for game in islice(rest, _LINES_AT_ONCE)]:
        output.print_table([*head, *rows], {0, 2, 8, 9})
        head = []
