"""How often do 95 % intervals of ratings cover the truth? `python -m benchmarks.coverage [--fields N] [--cell NAME]`.

Makes fields of engines of known strengths, draws the results of their games, and fits them as `arena standings` does.
Each line of the table is one kind of field. Seeds are fixed. Exit status 1 if a bar is missed.
"""

import os

# The processes use all CPUs, so threads within each would only compete. numpy's libraries read this when they load.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import itertools
import math
import random
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np
from numpy import float64, intp
from numpy.random import Generator
from numpy.typing import NDArray

from arena.ladder.source import choose_pairs
from results.diagnostics import misfit
from results.ratings import Fit, PairResult, fit
from results.ratings.estimates import Rating
from results.tables.elo import MOST, elo, elo_estimate, error_text, points_text

Floats = NDArray[float64]
Interval = tuple[float, float]
Schedule = Literal["round robin", "chain", "last three", "leagues", "gauntlet", "ladder"]
VERSIONS: tuple[Schedule, ...] = ("chain", "last three")
"""The schedules of versions, each of which is stronger than the one before it, on average."""

NOISE = 25 / 6 * math.sqrt(2)
"""The standard deviation of the difference of two performances."""
WINDOW = 3
"""In "last three" each version meets so many versions before it."""
CROSSING = 2
"""The pairs that meet across each two neighbouring leagues."""
LADDER_BATCHES = 10
"""The ladder fits once for each batch of pairs. A real ladder does that far more often, which would take hours here."""
MOST_PAIRS = 200
"""Of more pairs than this only so many random ones are looked at."""
NEAR = 10
"""Versions that are farther apart are not compared, but for the first and the last: nobody asks who would win."""
ROUNDING = 1e-14
"""An interval of an expected score may miss it by this: both may be 1 but for rounding."""
FIGURES = ("ratings", "differences", "first-to-last", "predictions")
ELO, OFF = 0.93, 0.03
"""The least coverage of Elo in a cell whose ratings have it, and the most that P>next may be off."""
MANY, FEWER = 30, 3
"""From so many engines on a cell has a third of the fields."""

HEAD = """\
Each figure is the share of 95 % intervals that cover the truth: ratings/differences/first-to-last/predictions. In a
cell's name `12/2000` is 12 engines and 2000 games. `Elo` is the share of engines whose printed Elo covers that of their
true skill. `P>next` is the mean probability that an engine is stronger than the next in the list, as it is said and as
it is true. `misfit` is the share of fields in which a misfit is told.

| cell | fields | covered | Elo | P>next: said, true | misfit |
|---|---:|---|---|---|---:|"""


class Cell(NamedTuple):
    """One kind of field: a line of the table."""

    engines: int
    games: int
    """All games of the field."""
    spread: float
    """The standard deviation of skills; of leagues, that within a league."""
    side: float = 2.0
    """The advantage of p1."""
    draws: float = 0.2
    """The share of draws between equals on equal sides."""
    roles: float = 0.0
    """The standard deviation of roles."""
    schedule: Schedule = "round robin"
    step: float = 0.0
    """How much stronger the next version or the next league is, on average."""
    leagues: int = 1
    davidson: bool = False
    """Do draws follow Davidson's model, which is not that of the ratings?"""

    @property
    def margin(self) -> float:
        """The draw margin that gives this share of draws."""
        return NOISE * NormalDist().inv_cdf(0.5 + self.draws / 2)

    @property
    def seed(self) -> list[int]:
        """What a random generator starts from. It differs between cells."""
        figures = (self.spread, self.side, self.draws, self.roles, self.step, self.davidson)
        return [self.engines, self.games, self.leagues, *(int(100 * x) for x in figures), *self.schedule.encode()]

    def __str__(self) -> str:
        who = f"{self.schedule} {self.engines}/{self.games}" + (f", {self.leagues} leagues" if self.leagues > 1 else "")
        strengths = [f"step {self.step:g}"] * bool(self.step) + [f"spread {self.spread:g}"] * bool(self.spread)
        rest = [f"side {self.side:g}", f"draws {self.draws:.0%}", f"roles {self.roles:g}"]
        return ", ".join([who, *strengths, *rest, *["Davidson's draws"] * self.davidson])


_SHAPES: list[tuple[int, int, float, Schedule, float, int]] = [
    # engines, games, spread, schedule, step, leagues
    (10, 900, 0.0, "chain", 1.0, 1),
    (40, 3_900, 0.0, "chain", 1.0, 1),
    (100, 3_960, 0.0, "chain", 3.0, 1),
    (30, 3_360, 0.0, "last three", 1.0, 1),
    (24, 1_760, 3.0, "leagues", 8.0, 3),
    (12, 1_100, 8.0, "gauntlet", 0.0, 1),
    (16, 800, 8.0, "ladder", 0.0, 1),
]
SCHEDULES = [
    Cell(engines, games, spread, 2.0, 0.2, roles, schedule, step, leagues)
    for engines, games, spread, schedule, step, leagues in _SHAPES
    for roles in (0.0, 4.0)
]
"""Every schedule without roles and with large ones."""
ROUND_ROBINS = [
    Cell(12, 2_000, 0.5, 5.0, 0.0, 1.0),
    Cell(12, 2_000, 2.0, 0.0, 0.2, 1.0),
    Cell(12, 264, 8.0, 0.0, 0.2, 4.0),
    Cell(12, 264, 20.0, 5.0, 0.2, 0.0),
    Cell(24, 4_000, 0.5, 0.0, 0.2, 4.0),
    Cell(24, 4_000, 2.0, 5.0, 0.2, 0.0),
    Cell(24, 2_000, 8.0, 5.0, 0.0, 1.0),
    Cell(24, 4_000, 20.0, 0.0, 0.2, 4.0),
    Cell(60, 20_000, 0.5, 0.0, 0.0, 0.0),
    Cell(60, 20_000, 2.0, 5.0, 0.0, 4.0),
    Cell(60, 20_000, 8.0, 5.0, 0.2, 0.0),
    Cell(60, 20_000, 20.0, 0.0, 0.0, 1.0),
]
"""Every pair of values of engines, spread, side, draws and roles."""
FEW = [Cell(2, 200, 8.0), Cell(4, 20, 0.5), Cell(4, 20, 3.0), Cell(12, 60, 8.0, roles=1.0)]
"""2 to 4 engines, or at most 10 games an engine."""
OTHER_DRAWS = [Cell(12, 2_000, 4.0, davidson=True)]
"""Draws that follow another model than that of the ratings."""
CELLS = [*SCHEDULES, *ROUND_ROBINS, *FEW, *OTHER_DRAWS]


# Fields: engines of known strength, and games whose results are drawn from it

_erfc = np.frompyfunc(math.erfc, 1, 1)


def chances(d: Floats, margin: float) -> Floats:
    """The probabilities that p1 wins, draws and loses who is `d` ahead: 3 rows. Small ones keep their digits."""

    def cdf(x: Floats) -> Floats:
        return np.asarray(0.5 * _erfc(x * -math.sqrt(0.5)), float)

    inner = cdf((margin - abs(d)) / NOISE) - cdf((-margin - abs(d)) / NOISE)
    return np.array([cdf((d - margin) / NOISE), inner, cdf((-d - margin) / NOISE)])


def davidson(d: Floats, margin: float) -> Floats:
    """The same with the draws of Davidson's model (1970), whose chance is proportional to sqrt(win * loss).

    The expected score and the draws between equals are those of the margin, so strengths have the same scale.
    """
    win, inner, loss = chances(d, margin)
    won, lost = win + inner / 2, loss + inner / 2
    equal = chances(np.zeros(1), margin)[1, 0]
    often = (2 * equal / (1 - equal)) ** 2
    # win + draw / 2 = score and draw^2 = often * win * loss: a quadratic equation for the draws.
    a, b, c = 1 - often / 4, often / 2, often * won * lost
    draw = 2 * c / (b + np.sqrt(b * b + 4 * a * c))
    return np.array([won - draw / 2, draw, lost - draw / 2])


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """The true strengths of a field."""

    skills: Floats
    roles: Floats
    cell: Cell

    def chances(self, one: NDArray[intp], two: NDArray[intp]) -> Floats:
        """The probabilities of p1's win, draw and loss in each pairing."""
        d = self.skills[one] + self.roles[one] - (self.skills[two] - self.roles[two])
        return (davidson if self.cell.davidson else chances)(d, self.cell.margin)

    def score(self, one: int, two: int) -> float:
        """What p1 scores on average."""
        win, draw, _ = map(float, self.chances(np.array([one]), np.array([two]))[:, 0])
        return win + draw / 2


class Games:
    """The games of a field, counted by pairing."""

    def __init__(self, strengths: Strengths, rng: Generator) -> None:
        self.strengths, self._rng = strengths, rng
        n = len(strengths.skills)
        self.counts = np.zeros((3, n, n), np.int64)
        """Wins, draws and losses of p1 (row) against p2 (column)."""

    def spread(self, pairings: Sequence[tuple[int, int]], games: int) -> None:
        """Play `games` games, the same number of each pairing; what remains goes to random ones."""
        each = np.full(len(pairings), games // len(pairings))
        each[self._rng.permutation(len(pairings))[: games % len(pairings)]] += 1
        one, two = np.array(pairings, np.intp).T
        # A little less, because numpy refuses probabilities that add up to more than 1 by rounding.
        results = self._rng.multinomial(each, self.strengths.chances(one, two).T * (1 - 1e-12))
        for counts, more in zip(self.counts, results.T, strict=True):
            np.add.at(counts, (one, two), more)

    @property
    def results(self) -> list[PairResult]:
        """The results of each pairing that has games."""
        name = names(len(self.strengths.skills))
        met = [(int(one), int(two)) for one, two in np.argwhere(self.counts.sum(0))]
        return [PairResult(name[i], name[j], *map(int, self.counts[:, i, j])) for i, j in met]


def names(count: int) -> list[str]:
    """The names of so many engines, in the order of their numbers."""
    return [f"e{number:04}" for number in range(count)]


def field(cell: Cell, number: int) -> Games:
    """The games of one field of a cell. They are the same for the same number."""
    rng = np.random.default_rng([number, *cell.seed])
    drawn = rng.standard_normal(cell.engines)
    if cell.schedule in VERSIONS:
        skills = np.cumsum(cell.step * (1 + drawn / 2))
    else:
        skills = cell.step * (np.arange(cell.engines) // (cell.engines // cell.leagues)) + cell.spread * drawn
    games = Games(Strengths(skills, cell.side / 2 + cell.roles * rng.standard_normal(cell.engines), cell), rng)
    if cell.schedule == "ladder":
        _ladder(games, cell, random.Random(number))
    else:
        games.spread(_pairings(cell, rng), cell.games)
    return games


def _pairings(cell: Cell, rng: Generator) -> list[tuple[int, int]]:
    """The pairings of a schedule that is known beforehand, with both sides."""
    n = cell.engines
    match cell.schedule:
        case "chain":
            pairs = [*itertools.pairwise(range(n))]
        case "last three":
            pairs = [(old, new) for new in range(n) for old in range(max(0, new - WINDOW), new)]
        case "gauntlet":
            pairs = [(0, other) for other in range(1, n)]
        case "leagues":
            size = n // cell.leagues
            leagues = [range(first, first + size) for first in range(0, n, size)]
            pairs = [pair for league in leagues for pair in itertools.combinations(league, 2)]
            for lower, upper in itertools.pairwise(leagues):
                pairs += zip(rng.permutation(lower)[:CROSSING], rng.permutation(upper)[:CROSSING], strict=True)
        case _:
            pairs = [*itertools.combinations(range(n), 2)]
    return [sides for one, two in pairs for sides in ((one, two), (two, one))]


def _ladder(games: Games, cell: Cell, chance: random.Random) -> None:
    """Batches of pairs that the ladder chooses; both sides of each pair are played."""
    name = names(cell.engines)
    for _ in range(LADDER_BATCHES):
        known = {(met.p1, met.p2): (met.wins, met.draws, met.losses) for met in games.results}
        chosen = choose_pairs(known, name, cell.games // (2 * LADDER_BATCHES), chance)
        pairs = [(name.index(pair.p1), name.index(pair.p2)) for pair in chosen]
        both = [*pairs, *((two, one) for one, two in pairs)]
        games.spread(both, len(both))


# Coverage: what the fit of a field says, beside the truth


class Covered(NamedTuple):
    """The shares of a field's intervals that cover the truth, in the order of FIGURES."""

    ratings: float
    differences: float
    first_to_last: float
    predictions: float


class Replicate(NamedTuple):
    """The figures of one field."""

    covered: Covered
    elo: float
    """The share of engines whose Elo is covered, as tables print it. A bound covers what is on its side."""
    said: float
    """The mean probability that an engine is stronger than the next in the list."""
    true: float
    """How often it is."""
    misfit: bool
    """Is a misfit told?"""


def replicate(cell: Cell, number: int) -> Replicate:
    """The figures of one field of a cell. They are the same for the same number."""
    games, rng = field(cell, number), np.random.default_rng([number, 3])
    truth, name = games.strengths, names(cell.engines)
    pairs = [*itertools.permutations(range(len(name)), 2)]
    if cell.schedule in VERSIONS:
        pairs = [(one, two) for one, two in pairs if abs(one - two) <= NEAR]
    if len(pairs) > MOST_PAIRS:
        pairs = [pairs[k] for k in rng.permutation(len(pairs))[:MOST_PAIRS]]
    found = fit(games.results, name)
    skill = dict(zip(name, map(float, truth.skills), strict=True))
    level = mean([skill[each] for each in found.reference])
    next_to = [(one, two) for one, two in itertools.pairwise(found.ratings) if one.better_than_next is not None]
    inside = []
    for rating in found.ratings:
        low, high = printed(rating)
        inside.append(low <= elo(skill[rating.name] - level) <= high)
    return Replicate(
        covered(found, truth, pairs, level),
        mean(inside),
        mean([one.better_than_next or 0.0 for one, _ in next_to]),
        mean([skill[one.name] > skill[two.name] for one, two in next_to]),
        misfit(found).is_significant,
    )


def covered(found: Fit, truth: Strengths, pairs: Sequence[tuple[int, int]], level: float) -> Covered:
    """The shares of all ratings, of these differences and predictions, and whether first to last is covered."""
    skills, name = truth.skills, names(len(truth.skills))

    def difference(one: int, two: int) -> bool:
        its = found.difference(name[one], name[two])
        return its.lower <= float(skills[one] - skills[two]) <= its.upper

    def prediction(one: int, two: int) -> bool:
        its = found.expected(name[one], name[two])
        return its.lower - ROUNDING <= truth.score(one, two) <= its.upper + ROUNDING

    return Covered(
        mean([found[one].lower <= float(skills[k]) - level <= found[one].upper for k, one in enumerate(name)]),
        mean([difference(one, two) for one, two in pairs if one < two] or [difference(*pairs[0])]),
        float(difference(0, len(name) - 1)),
        mean([prediction(one, two) for one, two in pairs]),
    )


def printed(rating: Rating) -> Interval:
    """The interval of an Elo, read from the text of a table, which rounds it."""
    estimate = elo_estimate(rating, rating.one_sided)
    points, error = points_text(estimate), error_text(estimate)
    down, up = re.fullmatch(r"-?([\d.]+)(?:\+([\d.]+))?", error).groups()  # type: ignore[union-attr]
    low, high = float(points) - float(down), float(points) + float(up or down)
    return (
        -math.inf if math.isinf(estimate.low) or low <= -MOST else low,
        math.inf if math.isinf(estimate.high) or high >= MOST else high,
    )


def mean(figures: Sequence[float]) -> float:
    """The mean of the figures; nan where there are none."""
    return sum(figures) / len(figures) if figures else math.nan


# Bars, and the table


def misses(cell: Cell, found: Sequence[Replicate]) -> Iterator[str]:
    """The bars that a cell misses. Each figure has two simulation errors."""
    told = mean([one.misfit for one in found])
    for figure, name in enumerate(FIGURES):
        shares = [float(one.covered[figure]) for one in found]
        low, high = _band(cell, name)
        share, at = mean(shares), min(max(mean(shares), low), high)
        # In few fields all intervals may hold by chance. So the error is at least that of independent intervals.
        pairs = min(cell.engines * (cell.engines - 1), MOST_PAIRS)
        intervals = (cell.engines, max(pairs // 2, 1), 1, pairs)[figure]
        least = math.sqrt(max(at * (1 - at), 0.0) / (len(shares) * intervals))
        # Where draws follow another model, a misfit that is told excuses it.
        excused = cell in OTHER_DRAWS and told > 0.5
        if abs(share - at) > 2 * max(standard_error(shares), least) and not excused:
            yield f"{cell}: {name} {share:.3f}, not {low:g} to {high:g}"
    ratings, points = mean([one.covered.ratings for one in found]), mean([one.elo for one in found])
    if points < ELO <= ratings:
        yield f"{cell}: Elo {points:.3f}, not {ELO:g}, where ratings have {ratings:.3f}"
    off = [one.said - one.true for one in found]
    if cell in ROUND_ROBINS and abs(mean(off)) - OFF > 2 * standard_error(off):
        yield f"{cell}: P>next is off by {mean(off):+.3f}, more than {OFF:g}"
    if cell.schedule in VERSIONS and mean(off) > 2 * standard_error(off):
        yield f"{cell}: P>next is too sure by {mean(off):.3f}"


def _band(cell: Cell, figure: str) -> Interval:
    """The least and the largest share that a cell may have."""
    if cell in FEW:
        return 0.9, 1.0
    if cell in OTHER_DRAWS:
        return (0.92, 0.97) if figure == "ratings" else (0.0, 1.0)
    return 0.93, 0.98 if figure == "predictions" else 0.97


def standard_error(figures: Sequence[float]) -> float:
    """The standard error of their mean."""
    return float(np.std(figures, ddof=1)) / math.sqrt(len(figures)) if len(figures) > 1 else math.inf


def line(cell: Cell, found: Sequence[Replicate]) -> str:
    """The line of a cell."""
    shares = "/".join(f"{mean(column):.3f}" for column in zip(*(one.covered for one in found), strict=True))
    # A fit of two engines alone may be unable to say who is next.
    known = [one for one in found if not math.isnan(one.said)]
    next_one = f"{mean([one.said for one in known]):.3f}, {mean([one.true for one in known]):.3f}"
    points, told = mean([one.elo for one in found]), mean([one.misfit for one in found])
    return f"| {cell} | {len(found)} | {shares} | {points:.3f} | {next_one} | {told:.2f} |"


def main(arguments: Sequence[str]) -> int:
    """Play and print. 0 where every bar is met, 1 where one is not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description="Do the intervals hold?")
    parser.add_argument("--fields", type=int, default=300, metavar="N", help="fields in each cell")
    parser.add_argument("--cell", metavar="NAME", default="", help="only the cells whose name contains this")
    options = parser.parse_args(arguments)
    if options.fields < 2:
        parser.error("--fields needs 2 or more: one field has no simulation error")
    cells = [cell for cell in CELLS if options.cell in str(cell)]
    if not cells:
        parser.error(f"no cell's name contains {options.cell!r}")
    missed: list[str] = []
    print(HEAD, flush=True)
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), mp_context=get_context("spawn")) as pool:
        for cell in cells:
            fields = options.fields if cell.engines < MANY else max(2, options.fields // FEWER)
            chunk = max(1, min(10, fields // 8))
            found = list(pool.map(replicate, [cell] * fields, range(fields), chunksize=chunk))
            print(line(cell, found), flush=True)
            missed += misses(cell, found)
    print("\n".join(["", "Missed:", *missed] if missed else ["", "Every bar is met."]))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
