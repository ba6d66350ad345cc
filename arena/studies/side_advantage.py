"""What a variant's first side is worth, and how that changes with strength: who plays whom, and what came of it.

The same engine at several node counts is a ladder of known order. Each rung plays itself, which asks for the sides
alone, and its neighbours, which says how far apart rungs are. Independent of processes and display.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.formats.registry import FormatConfig
from arena.planning import build_plan
from arena.planning.errors import require_range
from arena.planning.plan import Plan
from arena.play.jobs import EngineSpec
from arena.play.time_control import fixed
from results.ratings.fit import Expected, Fit
from results.ratings.prediction import among_equals
from results.ratings.published import published
from results.ratings.scale import Z95
from results.record import GameRecord
from results.tally import Tally, counted, meetings

TWIN = "'"
"""What the name of a player's other seat ends in: an engine that plays itself takes two."""


@dataclass(frozen=True, slots=True)
class Level:
    """The games of all engines at one node count against themselves, as p1 saw them; identical ones count once."""

    nodes: int
    scored: Tally
    rating: float | None
    """The mean of its players' ratings, None before any game."""

    @property
    def score(self) -> Expected | None:
        """What p1 scored, with the interval of Wilson (Journal of the American Statistical Association 22, 1927).

        A draw counts as half a win there, which makes the interval rather too wide than too narrow.
        """
        n = self.scored.games
        if n == 0:
            return None
        share, spare = self.scored.score / n, Z95**2 / n
        middle = (share + spare / 2) / (1 + spare)
        half = Z95 * math.sqrt(share * (1 - share) / n + spare / (4 * n)) / (1 + spare)
        parts = (self.scored.wins / n, self.scored.draws / n, self.scored.losses / n)
        return Expected(share, max(0.0, middle - half), min(1.0, middle + half), *parts)


@dataclass(frozen=True, slots=True)
class Findings:
    """What the games of a study say."""

    levels: tuple[Level, ...]
    fitted: Expected | None
    """What p1 scores among equals by all games together; None before any game."""
    games: int
    """Decided ones."""
    distinct: int

    @property
    def uneven(self) -> bool:
        """Do levels differ by more than chance, so that no one advantage fits them all?"""
        scores = [level.score for level in self.levels if level.score is not None]
        return bool(scores) and max(score.lower for score in scores) > min(score.upper for score in scores)


@dataclass(frozen=True, slots=True)
class Study:
    """Engines by name, and the node counts of each, the fewest first."""

    engines: tuple[EngineSpec, ...]
    nodes: tuple[int, ...]

    @property
    def players(self) -> tuple[EngineSpec, ...]:
        """Each engine at each node count, twice, under a name of its own."""
        return tuple(
            replace(engine, name=name, limit=fixed("nodes", nodes), family=engine.family or engine.name)
            for engine in self.engines
            for nodes in self.nodes
            for name in (_called(engine, nodes), _called(engine, nodes) + TWIN)
        )

    def choice(self, games: int) -> FormatConfig:
        """So many games of each pairing, each from an opening of its own, sides in turn."""
        own = [(_called(engine, n), _called(engine, n) + TWIN) for n in self.nodes for engine in self.engines]
        up = [
            (_called(engine, n), _called(engine, more))
            for n, more in zip(self.nodes, self.nodes[1:], strict=False)
            for engine in self.engines
        ]
        across = [
            (_called(one, n), _called(two, n))
            for n in self.nodes
            for place, one in enumerate(self.engines)
            for two in self.engines[place + 1 :]
        ]
        # Deterministic engines that play themselves would repeat a game whose sides are swapped.
        return FormatConfig("pairings", rounds=games, games_per_pairing=1, pairings=(*own, *up, *across))

    def plan(
        self,
        variant: str,
        games: int,
        openings: int,
        max_plies: int,
        seed: int | None,
        report: Callable[[str], None],
    ) -> Plan:
        """The games of the study, so many of each pairing. Draws a seed where none is given.

        Raises PlanError, RulesError, and NoOpening where there is not one of so many plies.
        """
        require_range("--games", games, 1)
        return build_plan.plan(
            "tournament",
            f"the sides of {variant}",
            self.players,
            (build_plan.start(variant, "", None, None, report),),
            openings,
            seed,
            build_plan.terms(fixed("nodes", self.nodes[0]), max_plies=max_plies),
            self.choice(games),
            lambda warning: None,  # that an engine plays itself is meant
        )

    def findings(self, games: Iterable[GameRecord]) -> Findings:
        """What they say, whatever part of the study they are."""
        counts = counted(_one_seat(game) for game in games)
        distinct = meetings(counts, distinct=True)
        fit = published(counts)
        return Findings(
            tuple(self._level(nodes, distinct, fit) for nodes in self.nodes),
            None if fit is None else among_equals(fit),
            sum(each.games for each in meetings(counts).values()),
            sum(each.games for each in distinct.values()),
        )

    def _level(self, nodes: int, distinct: dict[tuple[str, str], Tally], fit: Fit | None) -> Level:
        names = [_called(engine, nodes) for engine in self.engines]
        scored = sum((distinct.get((name, name), Tally()) for name in names), Tally())
        return Level(nodes, scored, _mean([] if fit is None else [fit[n].mean for n in names if n in fit.names]))


def summary(plan: Plan, found: Findings, withdrawn: Mapping[str, str]) -> dict[str, object]:
    """The findings as values for JSON; `withdrawn` are engines, each with the reason."""
    fitted = found.fitted
    return {
        "run": plan.run_id,
        "variant": plan.starts[0].variant,
        "seed": plan.seed,
        "games": found.games,
        "distinct": found.distinct,
        "levels": [
            {
                "nodes": level.nodes,
                "rating": level.rating,
                "games": level.scored.games,
                "wins": level.scored.wins,
                "draws": level.scored.draws,
                "losses": level.scored.losses,
                **_interval(level.score),
            }
            for level in found.levels
        ],
        "uneven": found.uneven,
        "fitted": None if fitted is None else {**_interval(fitted), "draw": round(fitted.draw, 6)},
        "withdrawn": withdrawn,
    }


def _interval(found: Expected | None) -> dict[str, float | None]:
    """What p1 scores, with the ends of its 95 % interval."""
    return dict(zip(("score", "lower", "upper"), (None,) * 3 if found is None else found[:3], strict=True))


def _mean(figures: Sequence[float]) -> float | None:
    return sum(figures) / len(figures) if figures else None


def _called(engine: EngineSpec, nodes: int) -> str:
    return f"{engine.name}@{nodes}"


def _one_seat(game: GameRecord) -> GameRecord:
    """The same game by players, whichever of their seats they had."""
    return replace(game, p1=game.p1.removesuffix(TWIN), p2=game.p2.removesuffix(TWIN))
