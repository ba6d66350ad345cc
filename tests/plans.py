"""Plans made by hand, of engines that need not be there."""

from collections.abc import Sequence

from arena.formats.registry import FormatConfig
from arena.openings.books import Start
from arena.planning.engine_files import marked
from arena.planning.plan import Kind, Plan
from arena.play.jobs import EngineSpec, Terms


def plan(
    kind: Kind,
    name: str,
    specs: Sequence[EngineSpec],
    starts: tuple[Start, ...],
    openings: int,
    seed: int,
    terms: Terms,
    config: FormatConfig,
) -> Plan:
    """The plan of all games of a format."""
    games = config.make([spec.name for spec in specs], len(starts)).most * len(starts)
    return Plan(kind, name, marked(specs), starts, games, openings, seed, terms, config)
