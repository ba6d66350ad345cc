"""What playing p1 in a variant is worth, and how that changes with strength: the pairings and the findings.

The same engine at several node counts is a ladder of known order. Each rung plays itself, which asks for the sides
alone, and its neighbours, which says how far apart rungs are. Independent of processes and display.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from arena.formats.registry import FormatConfig
from arena.games.boards import start_of
from arena.planning import build_plan
from arena.planning.errors import require_range
from arena.planning.plan import Plan
from arena.play.jobs import EngineSpec, Terms
from arena.studies.trend import Level, Trend, trend, wilson
from arena.timing.time_control import fixed
from results.published import published
from results.ratings.estimates import Expected
from results.ratings.fit import Fit
from results.record import GameRecord
from results.tally import Tally, counted, meetings
from results.variant_name import shown

SECOND_SEAT = "'"
"""Ends the name of a player's second side: an engine that plays itself needs two names."""
SURE = 0.05
"""A trend counts as more than chance where its p is below this."""


@dataclass(frozen=True, slots=True)
class NodeLevel:
    """The games of all engines at one node count against themselves, from p1's view. Identical games count once."""

    nodes: int
    scored: Tally
    rating: float | None
    """The mean of the players' ratings; None before any game."""

    @property
    def score(self) -> Expected | None:
        """p1's score with its 95 % interval; a draw counts as half a win."""
        return _expected(self.scored)

    @property
    def decided(self) -> tuple[float, float, float] | None:
        """p1's share of the games that were no draws, with its 95 % interval."""
        games = self.scored.wins + self.scored.losses
        return wilson(self.scored.wins, games) if games else None


@dataclass(frozen=True, slots=True)
class EngineFindings:
    """The games of one engine against itself."""

    name: str
    levels: tuple[NodeLevel, ...]
    trend: Trend | None
    decided_trend: Trend | None


@dataclass(frozen=True, slots=True)
class SideFindings:
    """The findings of a study."""

    levels: tuple[NodeLevel, ...]
    engines: tuple[EngineFindings, ...]
    trend: Trend | None
    """Of p1's score over the levels, each engine compared with itself; None where nothing could show one."""
    decided_trend: Trend | None
    """The same without the draws."""
    fitted: Expected | None
    """p1's score among equals, fitted to all games together; None before any game. If all games are those of engines
    against themselves, it is simply p1's score."""
    games: int
    """How many games have a result."""
    distinct: int

    @property
    def uneven(self) -> bool:
        """True where levels differ by more than chance: then no single advantage fits all of them.

        Two intervals may be apart although nothing rises or falls throughout, so they count beside the trend.
        """
        if self.trend is not None and self.trend.p < SURE:
            return True
        scores = [level.score for level in self.levels if level.score is not None]
        return bool(scores) and max(score.lower for score in scores) > min(score.upper for score in scores)


@dataclass(frozen=True, slots=True)
class SideStudy:
    """A study of these engines at these node counts, the lowest first."""

    engines: tuple[EngineSpec, ...]
    nodes: tuple[int, ...]
    self_only: bool = False
    """Without games between levels and between engines, and so without ratings."""

    @property
    def players(self) -> tuple[EngineSpec, ...]:
        """Each engine at each node count, twice, each under a name of its own."""
        return tuple(
            replace(engine, name=name, named=True, limit=fixed("nodes", nodes), family=engine.family or engine.name)
            for engine in self.engines
            for nodes in self.nodes
            for name in (_name(engine, nodes), _name(engine, nodes) + SECOND_SEAT)
        )

    def choice(self, games: int) -> FormatConfig:
        """The format: `games` games of each pairing, each from its own opening, sides in turn."""
        pairings = [(_name(engine, n), _name(engine, n) + SECOND_SEAT) for n in self.nodes for engine in self.engines]
        up = [(_name(engine, n), _name(engine, more)) for n, more in pairwise(self.nodes) for engine in self.engines]
        across = [(_name(one, n), _name(two, n)) for n in self.nodes for one, two in combinations(self.engines, 2)]
        pairings += [] if self.self_only else [*up, *across]
        # A deterministic engine that plays itself would repeat a game whose sides are swapped.
        return FormatConfig("pairings", rounds=games, games_per_pairing=1, pairings=tuple(pairings))

    def plan(
        self, variant: str, games: int, openings: int, max_plies: int, seed: int | None, report: Callable[[str], None]
    ) -> Plan:
        """`games` games of each pairing. Draws a seed if none is given. Raises PlanError, RulesError and NoOpening."""
        require_range("--games", games, 1)
        require_range("--max-plies", max_plies, 0)
        rules, position = start_of(variant)
        return build_plan.plan(
            "tournament",
            f"the sides of {shown(variant)}",
            self.players,
            (build_plan.start(rules, position, None, report),),
            openings,
            seed,
            Terms(fixed("nodes", self.nodes[0]), max_plies=max_plies),
            self.choice(games),
            lambda warning: None,  # that an engine plays itself is meant
        )

    def findings(self, games: Iterable[GameRecord]) -> SideFindings:
        """What they say, whatever part of the study they are."""
        counts = counted(_by_player(game) for game in games)
        distinct = meetings(counts, distinct=True)
        # Without games between the levels there are no ratings, and no differences that a fit would have to allow for.
        rated = None if self.self_only else published(counts)
        fitted = None if rated is None else rated.among_equals()
        if self.self_only:
            fitted = _expected(sum(distinct.values(), Tally()))
        engines = tuple(self._engine(engine, distinct, rated) for engine in self.engines)
        return SideFindings(
            tuple(self._level(self.engines, nodes, distinct, rated) for nodes in self.nodes),
            engines,
            trend([_tallies(engine.levels) for engine in engines]),
            trend([_tallies(engine.levels, decided=True) for engine in engines]),
            fitted,
            sum(each.games for each in meetings(counts).values()),
            sum(each.games for each in distinct.values()),
        )

    def _engine(self, engine: EngineSpec, distinct: Mapping[tuple[str, str], Tally], fit: Fit | None) -> EngineFindings:
        levels = tuple(self._level((engine,), nodes, distinct, fit) for nodes in self.nodes)
        return EngineFindings(engine.name, levels, trend([_tallies(levels)]), trend([_tallies(levels, decided=True)]))

    @staticmethod
    def _level(
        engines: Sequence[EngineSpec], nodes: int, distinct: Mapping[tuple[str, str], Tally], fit: Fit | None
    ) -> NodeLevel:
        names = [_name(engine, nodes) for engine in engines]
        scored = sum((distinct.get((name, name), Tally()) for name in names), Tally())
        return NodeLevel(nodes, scored, _mean([] if fit is None else [fit[n].mean for n in names if n in fit.names]))


def summary(plan: Plan, findings: SideFindings, withdrawn: Mapping[str, str]) -> dict[str, object]:
    """The findings as values for JSON; `withdrawn` are engines, each with the reason."""
    fitted = findings.fitted
    return {
        "run": plan.run_id,
        "variant": plan.starts[0].variant,
        "seed": plan.seed,
        "games": findings.games,
        "distinct": findings.distinct,
        "levels": [_level_summary(level) for level in findings.levels],
        "engines": [
            {
                "name": engine.name,
                "levels": [_level_summary(level) for level in engine.levels],
                "trend": _trend_summary(engine.trend),
                "decided_trend": _trend_summary(engine.decided_trend),
            }
            for engine in findings.engines
        ],
        "trend": _trend_summary(findings.trend),
        "decided_trend": _trend_summary(findings.decided_trend),
        "uneven": findings.uneven,
        "fitted": None if fitted is None else {**_interval(fitted), "draw": fitted.draw},
        "withdrawn": withdrawn,
    }


def _expected(scored: Tally) -> Expected | None:
    """p1's score without a model."""
    n = scored.games
    if n == 0:
        return None
    return Expected(*wilson(scored.score, n), scored.wins / n, scored.draws / n, scored.losses / n)


def _level_summary(level: NodeLevel) -> dict[str, object]:
    return {
        "nodes": level.nodes,
        "rating": level.rating,
        "games": level.scored.games,
        "wins": level.scored.wins,
        "draws": level.scored.draws,
        "losses": level.scored.losses,
        **_interval(level.score),
        "decided": None if level.decided is None else _interval(level.decided),
    }


def _trend_summary(trend: Trend | None) -> dict[str, float] | None:
    if trend is None:
        return None
    return {"slope": trend.slope, "lower": trend.lower, "upper": trend.upper, "p": trend.p}


def _tallies(levels: Sequence[NodeLevel], decided: bool = False) -> list[Level]:
    """The games of the levels, the draws left out if asked for."""
    return [(level.nodes, replace(level.scored, draws=0) if decided else level.scored) for level in levels]


def _interval(figures: Sequence[float] | None) -> dict[str, float | None]:
    """What p1 scores, with the ends of its 95 % interval."""
    return dict(zip(("score", "lower", "upper"), (None,) * 3 if figures is None else figures[:3], strict=True))


def _mean(figures: Sequence[float]) -> float | None:
    return sum(figures) / len(figures) if figures else None


def _name(engine: EngineSpec, nodes: int) -> str:
    return f"{engine.name}@{nodes}"


def _by_player(game: GameRecord) -> GameRecord:
    """The game under the players' names, whichever side they had."""
    return replace(game, p1=game.p1.removesuffix(SECOND_SEAT), p2=game.p2.removesuffix(SECOND_SEAT))
