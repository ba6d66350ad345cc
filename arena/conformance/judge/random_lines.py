"""Random lines of play for the comparison of an engine's rules with ours, as the kind of the game makes them.

One seed gives the same lines for ever. What is true of a line is for `arena.games` to say.
"""

import itertools
import random
from collections.abc import Iterator, Sequence

from arena.games.random_line import RandomLine
from arena.games.rules import Rules, RulesError
from arena.games.variants import find, kind_of

_EPOCH = 5
"""How many lines in a row have the same rule options, since it takes time to set them."""
_TRIES = 60


def random_lines(variant: str, seed: int, announced: Sequence[Rules]) -> Iterator[RandomLine]:
    """Lines without end. The rule options change if the engine takes some; `announced` are its variants then.

    They end only if the game makes none, whatever their number.
    """
    chance = random.Random(f"fuzz {variant} {seed}")
    rules = own = find(variant)
    kind = kind_of(own)
    failed = 0
    for number in itertools.count():
        if failed == _TRIES:
            return
        if announced and own.own is None and number % _EPOCH == 0:
            rules = kind.random_rules(own, announced, number // _EPOCH, chance)
        for _ in range(_TRIES):
            try:
                line = kind.random_line(rules, number, chance)
            except RulesError:
                continue
            yield line
            failed = 0
            break
        else:
            failed += 1
