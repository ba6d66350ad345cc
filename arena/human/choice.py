"""What a page may ask for: registered engines, known variants and a few clocks, and nothing that names a file.

An engine of the command line is a program to run, and a variant may be a file to read. So neither is taken from a page.
"""

from collections.abc import Mapping

from arena.config.load import Registry
from arena.games import variants
from arena.human.begin import HUMAN, STRONG, GameRequest, strong_engine
from arena.planning.errors import PlanError
from arena.timing.time_control import parse

STRENGTHS = range(1, 12)
"""The grades of a strong engine; the last one is all that it can."""
CLOCKS = ("60+1", "180+2", "300+3", "900+10")
SIDES = ("p1", "p2", "random")


def request_of(choice: Mapping[str, object], registry: Registry) -> GameRequest:
    """What was chosen on a page. Raises PlanError for what its lists do not have."""

    def chosen(field: str, among: tuple[str, ...]) -> str:
        value = choice.get(field)
        if not isinstance(value, str) or value not in among:
            raise PlanError(f"choose {field} from the list")
        return value

    variant = chosen("variant", variants.names())
    opponent = chosen("opponent", (STRONG, HUMAN, *registry.names))
    clock = chosen("clock", ("", *CLOCKS))
    limit = parse(clock) if clock else None
    if opponent == HUMAN:
        return GameRequest((HUMAN, HUMAN), None, limit, variant=variant)
    if opponent == STRONG:
        strength = int(chosen("strength", tuple(map(str, STRENGTHS))))
        name = strong_engine(variants.find(variant), registry)
        if name is None:
            raise PlanError("choose opponent from the list")
        opponent = name if strength == STRENGTHS[-1] or name != STRONG else f"{name}:Strength={strength}"
    return GameRequest((opponent,), chosen("side", SIDES), limit, variant=variant)
