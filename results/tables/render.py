"""Standings and crosstables as lines for a terminal, with the notes below them.

This module computes nothing. Standings fit in 80 columns, and a crosstable of eight engines does.
"""

import itertools
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from results.ratings.estimates import OneSided, Rating
from results.ratings.sprt import EloEstimate
from results.safe_text import harmless
from results.tables.columns import COLUMNS, Column
from results.tables.crosstable import Crosstable
from results.tables.elo import MOST, Duel, elo, elo_texts, error_text, points_text, with_error
from results.tables.standings import Standings
from results.tables.text_width import aligned, columns, cut, shortened, some_games
from results.tally import pairs_note, percent

if TYPE_CHECKING:
    from results.diagnostics import Bridge, Misfit, OddPairing

NAME_COLUMNS = 24
"""Terminal columns of a name. Longer names are cut with an ellipsis; the number before the name tells them apart."""
NARROW_NAME = 16
"""Terminal columns of a name below which no name is cut before columns of less importance are left out."""
SHORT_NAME = 10
"""Terminal columns of a name in a crosstable, to which names are cut if that makes it as wide as the terminal."""
LONGEST_SCORE = 6
"""Characters of wins-draws-losses in a crosstable. If one is longer, all cells show percentages instead."""
MOST_GROUPS = 6
"""A note lists at most this many groups."""
FEW_PAIRS = 8
"""From so many pairs on, a note tells that most of them are split: then their openings say little of the engines."""
MOST_ODD = 3
"""A note names at most this many pairings that stick out."""
SURE = 0.975
"""A higher chance to be stronger than the next is near 100 %."""
_LEGEND = {
    "Elo": "Elo: above {}; +- holds 95 %",
    "P>next": "P>next: chance in % of being stronger than the next",
    "overlap": "+- is against {}, so two may overlap though P>next is near 100",
    "TrueSkill": "TrueSkill: mu, whose mean is 25, +- 95 %",
    "role": "role: how much mu is higher as p1, and lower as p2",
    "by game": "by game: the package trueskill's own figure, rated game by game",
    "unf.": "unf.: unfinished",
    "forf.": "forf.: lost by a fault",
}
_BOUNDS: dict[OneSided, str] = {
    "at least": "took every point from the others, so the Elo is a guess",
    "at most": "took no point from the others, so the Elo is a guess",
}
"""What a note says of engines that games bound on one side only."""
OF_CROSSTABLES = ("Elo",)
"""The words of the legend that explain a crosstable."""


def standings_table(
    standings: Standings, title: str | None = None, *, wide: bool = False, width: int | None = None
) -> list[str]:
    """One line for each engine, in the order given, with the columns of `results.tables.columns`.

    If the table is wider than `width`, columns of less importance are left out, and then names are cut.
    """
    shown, name = _fitted(standings, wide, width)
    short = shortened((row.name for row in standings.rows), name)
    cells = [(str(row.rank), short[row.name], *(each.text(row) for each in shown)) for row in standings.rows]
    return _table(title, [each.heading for each in shown], cells)


def _fitted(standings: Standings, wide: bool, width: int | None) -> tuple[list[Column], int]:
    """The columns after the name that fit into the width, and the width of the names."""
    rows, shown = standings.rows, shown_columns(wide)
    widths = {
        column.heading: 1 + max(len(column.heading), *(len(column.text(row)) for row in rows), 0) for column in shown
    }
    number = 1 + len(str(max(len(rows), 1)))
    name = max(6, min(NAME_COLUMNS, max((columns(harmless(row.name)) for row in rows), default=6)))
    if width is None:
        return shown, name

    def needed(name: int) -> int:
        return number + name + sum(widths[column.heading] for column in shown)

    while needed(min(name, NARROW_NAME)) > width and (least := max(column.priority for column in shown)):
        shown = [column for column in shown if column.priority < least]
    return shown, max(6, name - max(needed(name) - width, 0))


def shown_columns(wide: bool = False) -> list[Column]:
    """The columns after the name."""
    return [column for column in COLUMNS[2:] if column.heading and (wide or not column.wide)]


def standings_notes(standings: Standings) -> list[str]:
    """The lines below the table that tell about its games."""
    match = [_match(duel) for duel in standings.duels] if len(standings.duels) == 1 else []
    return [*match, *rating_notes(standings), *_remarks(standings)]


def legend(
    tables: Iterable[Standings], wide: bool = False, width: int | None = None, of: Collection[str] = _LEGEND
) -> list[str]:
    """What the words and marks in these tables mean: short lines, to stand once below all of them.

    `of` are the words that may be explained; OF_CROSSTABLES are those of crosstables.
    """
    used: dict[str, str] = {}
    for standings in tables:
        rated = standings.ratings
        headings = {column.heading for column in _fitted(standings, wide, width)[0]} if rated else set()
        if len(rated) < 2:
            headings.discard("P>next")
        if "P>next" in headings and any(_overlap(one, two) for one, two in itertools.pairwise(rated)):
            headings.add("overlap")
        above = "the field's mean" if standings.anchor is None else cut(standings.anchor, NAME_COLUMNS)
        used |= {key: text.format(above) for key, text in _LEGEND.items() if key in headings and key in of}
    return _joined([used[key] for key in _LEGEND if key in used], min(width or 80, 80))


def _overlap(one: Rating, two: Rating) -> bool:
    """Whether the intervals of two neighbours overlap although one is surely stronger."""
    return (one.better_than_next or 0.0) > SURE and one.lower < two.upper


def duel_rows(standings: Standings) -> list[tuple[str, ...]]:
    """In a gauntlet: headings, and how far its engine is ahead of each opponent. Of other fields nothing."""
    duels = standings.duels
    if len(duels) < 2:
        return []
    rows: list[tuple[str, ...]] = [("opponent", "Elo", "+-", "LOS%", "games", "W-D-L", "score%")]
    for duel in duels:
        figures = points_text(duel.elo), error_text(duel.elo), percent(duel.los)
        score = percent(duel.tally.score / duel.tally.games)
        rows.append((duel.two, *figures, str(duel.tally.games), duel.tally.text, score))
    return rows


def duel_table(standings: Standings) -> list[str]:
    """The table of a gauntlet, below that of the standings."""
    heading, *rows = duel_rows(standings)
    ranks = {row.name: str(row.rank) for row in standings.rows}
    short = shortened((name for name, *_ in rows), NAME_COLUMNS)
    title = f"{cut(standings.duels[0].one, NAME_COLUMNS)} against each opponent"
    return _table(title, heading[1:], [(ranks[name], short[name], *cells) for name, *cells in rows])


def _match(duel: Duel) -> str:
    """`ann - bob: Elo +35 +- 20, LOS 99.9 %, draws 23.0 %, pairs +12 =35 -3`: one line for a match of two."""
    one, two = shortened((duel.one, duel.two), 12).values()
    drawn = percent(duel.tally.draws / duel.tally.games)
    line = f"{one} - {two}: Elo {with_error(duel.elo)}, LOS {percent(duel.los)} %, draws {drawn} %"
    if duel.pairs is None or not duel.pairs.pairs:
        return line
    return f"{line}, pairs +{duel.pairs.won} ={duel.pairs.drawn + duel.pairs.split} -{duel.pairs.lost}"


def rating_notes(standings: Standings) -> list[str]:
    """What a reader must know about the ratings."""
    notes = []
    if (side := standings.side) is not None:
        worth = EloEstimate(*map(elo, (side.mean, side.lower, side.upper)))
        if worth.high - worth.low > 2 * MOST:
            notes.append("too few games to say what playing p1 is worth")
        else:
            notes.append(f"playing p1 is worth Elo {with_error(worth)} ({side.mean:+z.2f} of mu)")
    rated = standings.ratings
    if standings.anchor is not None:
        notes.append(f"ratings are relative to {cut(standings.anchor, NAME_COLUMNS)}, the anchor")
    elif len(standings.reference) < len(rated):
        note = f"ratings are relative to the mean of {len(standings.reference)} of {len(rated)} engines: "
        notes.append(note + cut(", ".join(standings.reference), 80 - len(note)))
    if len(standings.groups) > 1:
        notes.append(f"no games connect these {len(standings.groups)} groups, so ratings compare only within each:")
        notes += [f"  {cut(', '.join(group), 76)}" for group in standings.groups[:MOST_GROUPS]]
        notes += [f"  and {len(standings.groups) - MOST_GROUPS} more"] * (len(standings.groups) > MOST_GROUPS)
    notes += [_bridge(bridge) for bridge in standings.bridges]
    if standings.misfit is not None and standings.misfit.is_significant:
        notes += _misfit(standings.misfit)
    if (pairs := standings.pairs) is not None and pairs.pairs >= FEW_PAIRS and 2 * pairs.split > pairs.pairs:
        notes.append(pairs_note(pairs))
    if standings.distinct < standings.games:
        games = some_games(standings.games)
        notes.append(f"ratings count identical games once: {standings.distinct} of {games} differ")
    return [*notes, *_bounds(rated)]


def _bounds(rated: Iterable[Rating]) -> list[str]:
    """`took every point from the others, so the Elo is a guess: ann, bob`: whose Elo comes from the prior as well."""
    by_side = {side: [rating.name for rating in rated if rating.one_sided == side] for side in _BOUNDS}
    return [
        f"{_BOUNDS[side]}: {cut(', '.join(names), 78 - len(_BOUNDS[side]))}" for side, names in by_side.items() if names
    ]


def _bridge(bridge: "Bridge") -> str:
    """`a, b and c, d are linked only through 12 games of c: how far apart the two groups are is hardly known`."""
    games = sum(games for _, _, games in bridge.pairs)
    ends = {one for one, _, _ in bridge.pairs}, {two for _, two, _ in bridge.pairs}
    alone = next((sorted(end)[0] for end in ends if len(end) == 1), None)
    who = f" of {cut(alone, NAME_COLUMNS)}" if alone is not None else ""
    smaller, larger = (cut(", ".join(part), 20 if who else 26) for part in (bridge.smaller, bridge.larger))
    return f"{smaller} and {larger} are linked only through {some_games(games)}{who}"


def _misfit(misfit: "Misfit") -> list[str]:
    chance = f"{misfit.p:.2g}" if misfit.p >= 1e-4 else "below 0.0001"
    return [
        "one rating for each engine does not explain these results, so intervals are too",
        f"narrow (chi-square {misfit.chi_square:.0f} with {misfit.freedom:.0f} degrees of freedom, p {chance})",
        *(f"  {_odd(pairing)}" for pairing in misfit.pairings[:MOST_ODD]),
        *[f"  and {len(misfit.pairings) - MOST_ODD} more pairings"] * (len(misfit.pairings) > MOST_ODD),
    ]


def _odd(pairing: "OddPairing") -> str:
    one, two = cut(pairing.a, NAME_COLUMNS), cut(pairing.b, NAME_COLUMNS)
    score = f"{pairing.score:g} of {pairing.games:g}, expected {pairing.expected_score:.1f}"
    return f"{one} against {two}: {score}; draws {pairing.draws:g}, expected {pairing.expected_draws:.1f}"


def _joined(texts: Sequence[str], width: int) -> list[str]:
    """The texts with semicolons between them, in lines of at most this width, if a text is not longer."""
    lines: list[str] = []
    for text in texts:
        if lines and columns(lines[-1]) + 2 + columns(text) <= width:
            lines[-1] += f"; {text}"
        else:
            lines.append(text)
    return lines


def _remarks(standings: Standings) -> list[str]:
    notes = ["who plays p1 matters more for some engines: --wide shows their roles"] * standings.roles_matter
    for word, count in (("lost by a fault", "forfeits"), ("unfinished", "unfinished")):
        if faulty := [f"{row.name} {number}" for row in standings.rows if (number := getattr(row, count))]:
            notes.append(f"{word}: {cut(', '.join(faulty), 78 - len(word))}")
    for row in standings.rows:
        short = cut(row.name, NAME_COLUMNS)
        if row.machine:
            notes.append(f"machine or line late: {short} lost {some_games(row.machine)} only because of that")
        if row.burns_idle:
            notes.append(f"busy idler: {short} used CPU in its opponent's time in {some_games(row.burns_idle)}")
    return notes


def crosstable_tables(crosstable: Crosstable, title: str | None = None, width: int | None = None) -> list[list[str]]:
    """Each engine against each, from the row's point of view: points above, wins-draws-losses below.

    The columns have the numbers of the rows. If they do not fit into the width, several tables share them.
    """
    engines = crosstable.engines
    met = [cell for line in crosstable.cells for cell in line if cell is not None]
    is_short = all(len(cell.text) <= LONGEST_SCORE for cell in met)

    def texts(row: int, column: int) -> tuple[str, str]:
        if (cell := crosstable.cells[row][column]) is None:
            return ("-" if row == column else ""), ""
        return f"{cell.score:g}", cell.text if is_short else f"{percent(cell.score / cell.games, 0)}%"

    cells = [[texts(row, column) for column in range(len(engines))] for row in range(len(engines))]
    elos = [elo_texts(crosstable.elos.get(engine)) for engine in engines] if crosstable.elos else [()] * len(engines)
    headings = ["Elo", "+-"] if crosstable.elos else []
    widths = [max(len(str(at + 1)), *(len(text) for row in cells for text in row[at])) for at in range(len(engines))]
    name = min(max([6, *(columns(harmless(engine)) for engine in engines)]), NAME_COLUMNS)
    first = len(str(len(engines))) + 1 + name
    first += sum(1 + max(map(len, column)) for column in zip(headings, *elos, strict=True))
    over = first + sum(1 + each for each in widths) - (width or 80)
    if 0 < over <= name - SHORT_NAME:
        name, first = name - over, first - over
    short = shortened(engines, name)
    tables = []
    for part in _parts(widths, first, width):
        rows: list[tuple[str, ...]] = []
        for number, (engine, line) in enumerate(zip(engines, cells, strict=True)):
            rows.append((str(number + 1), short[engine], *elos[number], *(line[at][0] for at in part)))
            if any(line[at][1] for at in part):
                rows.append(("", "", *[""] * len(headings), *(line[at][1] for at in part)))
        tables.append(_table(title, [*headings, *(str(at + 1) for at in part)], rows))
        title = None
    return tables


def _parts(widths: Sequence[int], first: int, width: int | None) -> list[range]:
    """Which columns stand in which table, behind names that take `first` columns; at least one in each."""
    starts, used = [0], first
    for at, each in enumerate(widths):
        used += 1 + each
        if width is not None and used > width and at > starts[-1]:
            starts.append(at)
            used = first + 1 + each
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(widths)], strict=True)]


def _table(title: str | None, headings: Sequence[str], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """The lines of a table of engines: numbers, names and figures, under a title if there is one."""
    lines = aligned([("#", "engine", *headings), *rows], {0, *range(2, 2 + len(headings))}, 1)
    return lines if title is None else [harmless(title), *lines]
