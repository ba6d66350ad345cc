"""Whom games connect, how thinly, and whom scores bound on one side only."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from results.ratings.estimates import OneSided
from results.ratings.likelihood import Floats

Relation = NDArray[np.bool_]
"""Who has something to do with whom: a square of yes and no."""
THIN = 30
"""Fewer games than this are a thin bridge: by them the gap between two groups has a standard deviation above 1.3."""
SHARE = 4
"""A bridge is thin only if each side played this many times as many games within itself."""


def closure(steps: Relation) -> Relation:
    """Who is reached from whom by any number of steps, none included: squared until nothing is added."""
    found = steps | np.eye(len(steps), dtype=bool)
    while True:
        near = found.astype(np.float32)
        more: Relation = near @ near > 0
        if (more == found).all():
            return found
        found = more


def connected(met: Relation) -> list[list[int]]:
    """The groups that games connect, the largest first, then by their first engine."""
    first = closure(met).argmax(1)
    return sorted(
        (np.flatnonzero(first == label).tolist() for label in np.unique(first)), key=lambda group: -len(group)
    )


def one_sided(took: Relation, groups: list[list[int]], anchor: int | None = None) -> dict[int, OneSided]:
    """The engines whose scores bound them on one side only. `took[i, j]`: i took a point of j, or half of one.

    An engine belongs to a body of engines that all took points of each other, directly or through others (Ford,
    American Mathematical Monthly 64, 1957). The main body of a group has more than half of it, or the anchor. Who took
    points of the main body and gave it none, not even through others, is bounded from below only. Without a main body
    each body is seen against all others of the group.
    """
    reach = closure(took)
    bodies, against = reach & reach.T, np.zeros_like(reach)
    for group in groups:
        main = bodies[anchor if anchor in group else max(group, key=lambda engine: int(bodies[engine].sum()))]
        if anchor in group or 2 * main.sum() > len(group):
            against[group] = main & ~main[group][:, None]
        else:
            against[group] = ~bodies[group]
            against[group] &= np.isin(np.arange(len(reach)), group)
    above, below = (reach & against).any(1), (reach.T & against).any(1)
    found: dict[int, OneSided] = {int(engine): "at least" for engine in np.flatnonzero(above & ~below)}
    return found | {int(engine): "at most" for engine in np.flatnonzero(below & ~above)}


class Bridge(NamedTuple):
    """The few games that alone connect two parts of a group, each of which played many within itself."""

    smaller: tuple[str, ...]
    larger: tuple[str, ...]
    pairs: tuple[tuple[str, str, int], ...]
    """Each pair across: an engine of the smaller part, one of the larger part, and their games."""


def thin_bridges(names: tuple[str, ...], games: Floats, groups: list[list[int]]) -> list[Bridge]:
    """The thin bridges within these groups, the thinnest first. `games` is the symmetrical square of games.

    Parts are found by the second eigenvector of the graph's Laplacian (Fiedler, Czechoslovak Mathematical Journal 23,
    1973): of all cuts along it the one with the fewest games across for its inner games. Each part is searched again.
    """
    found, left = [], [np.array(group) for group in groups if len(group) > 3]
    while left:
        part = left.pop()
        weights = np.log1p(games[np.ix_(part, part)])  # thousands of games connect no more firmly than a hundred
        part = part[np.argsort(np.linalg.eigh(np.diag(weights.sum(1)) - weights)[1][:, 1], kind="stable")]
        inner = games[np.ix_(part, part)]
        within = np.cumsum(np.triu(inner).sum(0))  # the first k + 1 engines
        across = np.cumsum(inner.sum(1)) - 2 * within
        least = np.minimum(within, within[-1] - within - across)
        cuts = [k + 1 for k in range(1, len(part) - 2) if across[k] < THIN and SHARE * across[k] <= least[k]]
        if not cuts:
            continue
        cut = min(cuts, key=lambda k: across[k - 1] / least[k - 1])
        small, large = (sorted(side.tolist()) for side in sorted((part[:cut], part[cut:]), key=len))
        pairs = tuple((names[i], names[j], int(games[i, j])) for i in small for j in large if games[i, j])
        found.append(Bridge(tuple(names[i] for i in small), tuple(names[j] for j in large), pairs))
        left += [np.array(side) for side in (small, large) if len(side) > 3]
    return sorted(found, key=lambda bridge: sum(games for _, _, games in bridge.pairs))
