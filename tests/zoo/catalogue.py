"""All faults by name."""

from tests.zoo.faults import burning, files, hostile, lines, moves, process, timing
from tests.zoo.faults.fault import Faulty

FAULTS: dict[str, type[Faulty]] = {
    thing.name: thing
    for module in (process, lines, moves, timing, burning, hostile, files)
    for thing in vars(module).values()
    if isinstance(thing, type) and issubclass(thing, Faulty) and thing.name and thing.__module__ == module.__name__
}
"""The subclasses of Faulty that are not abstract."""
