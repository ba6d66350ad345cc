"""Connected components, and engines with one-sided scores."""

import numpy as np
from numpy.typing import NDArray

from results.ratings.estimates import OneSided

Relation = NDArray[np.bool_]  # who has something to do with whom: a square of yes and no


def closure(steps: Relation) -> Relation:
    """Who is reached from whom by any number of steps, none included: squared until nothing is added."""
    reached = steps | np.eye(len(steps), dtype=bool)
    while True:
        near = reached.astype(np.float32)
        # Sums of ones are neither divided nor too large, but libraries for ARM set flags of that all the same.
        with np.errstate(all="ignore"):
            more: Relation = near @ near > 0
        if (more == reached).all():
            return reached
        reached = more


def connected(met: Relation) -> list[list[int]]:
    """The groups that games connect, the largest first, then by their first engine."""
    first = closure(met).argmax(1)
    groups = (np.flatnonzero(first == label).tolist() for label in sorted({*first.tolist()}))
    return sorted(groups, key=lambda group: -len(group))


def one_sided(reach: Relation, groups: list[list[int]], anchor: int | None = None) -> dict[int, OneSided]:
    """The engines whose scores bound them on one side only. `reach` is the closure of who took points of whom.

    An engine belongs to a body of engines that all took points of each other, directly or through others (Ford,
    American Mathematical Monthly 64, 1957). The main body of a group has more than half of it, or the anchor. Who took
    points of the main body and gave it none, not even through others, is bounded from below only. Without a main body
    each body is seen against all others of the group.
    """
    bodies, against = reach & reach.T, np.zeros_like(reach)
    for group in groups:
        main = bodies[anchor if anchor in group else max(group, key=lambda engine: int(bodies[engine].sum()))]
        if anchor in group or 2 * main.sum() > len(group):
            against[group] = main & ~main[group][:, None]
        else:
            against[group] = ~bodies[group]
            against[group] &= np.isin(np.arange(len(reach)), group)
    above, below = (reach & against).any(1), (reach.T & against).any(1)
    bounds: dict[int, OneSided] = {int(engine): "at least" for engine in np.flatnonzero(above & ~below)}
    return bounds | {int(engine): "at most" for engine in np.flatnonzero(below & ~above)}
