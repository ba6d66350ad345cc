"""Makes openings: random plies that lead to different positions, kept where a judge finds both sides even.

An opening is even where the judge's score for the side to move is within a margin. Writes no file.
"""

import contextlib
from collections.abc import Callable, Iterator

from arena.games import variants
from arena.games.game import Game
from arena.openings.book import Opening
from arena.planning.errors import EngineUnavailable, PlanError
from arena.planning.introductions import variant_refusal
from arena.planning.schedule import Start
from arena.play import random_opening
from arena.play.engine_pool import LiveEngine
from arena.play.jobs import EngineSpec, Terms
from arena.play.referee import position_line
from arena.play.time_control import fixed
from protocol import grammar
from protocol.containment.watchdog import Watchdog
from protocol.faults import CannotStart, EngineFault, Fault
from protocol.messages import Score

MOVE_LIMIT_MS = 60_000
"""How many ms the judge may search one position."""
MAX_REFUSED = 1_000
"""After so many refused openings in a row the search ends: there are no more, or too few to wait for."""

Judge = Callable[[Game], Score | None]


class NoScore(ValueError):
    """The judge gave no score. The message is one sentence."""


class EngineJudge:
    """An engine that searches `nodes` nodes of each position.

    Raises CannotStart and EngineFault when it starts, and EngineFault when it is asked.
    """

    def __init__(self, spec: EngineSpec, nodes: int, seed: int) -> None:
        self._terms = Terms(fixed("nodes", nodes), move_limit_ms=MOVE_LIMIT_MS)
        self._nodes = nodes
        self._seed = seed
        self.live = LiveEngine(spec, Watchdog())

    def __call__(self, game: Game) -> Score | None:
        """The engine's score of the position, from the side to move."""
        # Each position is a new game, so that earlier positions cannot change the answer.
        seat = self.live.begin(game.rules, self._seed, self._terms)
        session = seat.session
        session.prepare(position_line(game, seat.knows_start))
        said, _ = session.search(grammar.go_nodes(self._nodes), MOVE_LIMIT_MS * 1_000_000, Fault.STALL)
        return grammar.summary(said.last_info).score


@contextlib.contextmanager
def engine_judge(spec: EngineSpec, variant: str, nodes: int, seed: int) -> Iterator[EngineJudge]:
    """The engine as a judge of this variant's openings, while the block runs.

    Raises EngineUnavailable where it cannot be started, and PlanError where it cannot judge, also out of the block.
    """
    try:
        judge = EngineJudge(spec, nodes, seed)
    except (CannotStart, EngineFault) as refused:
        raise EngineUnavailable(f"engine {spec.name!r} cannot be started: {refused}") from None
    try:
        try:
            if reason := variant_refusal(spec, judge.live.identity, (Start(variant),)):
                raise PlanError(reason)
            yield judge
        except BaseException:
            judge.live.kill()
            raise
        judge.live.quit()
    except EngineFault as broken:
        raise PlanError(f"engine {spec.name!r} broke the protocol ({broken}); `arena check` tells more") from None
    except NoScore as refused:
        raise PlanError(f"engine {spec.name!r}: {refused}") from None


def is_even(score: Score | None, margin_cp: int) -> bool:
    """Is this a score, and no mate, of at most the margin for either side? Raises NoScore where there is none."""
    if score is None or score.bound is not None:
        raise NoScore("the engine says no score to judge openings by: name another one")
    return score.kind == "cp" and abs(score.value) <= margin_cp


def generate(variant: str, plies: int, seed: int, judge: Judge | None = None, margin_cp: int = 0) -> Iterator[Opening]:
    """Openings of `plies` random plies, each to another position, the same for the same seed. Ends after the last one.

    Raises NoOpening where there is no opening of this length, and what the judge raises.
    """
    rules, start = variants.resolve(variant)
    seen = set()
    number = refused = 0
    while refused < MAX_REFUSED:
        moves = random_opening.draw(rules, start, plies, f"{seed}/made/{number}")
        number += 1
        refused += 1
        game = Game(rules, start)
        for word in moves:
            game.play(word)
        if game.position.key in seen:
            continue
        seen.add(game.position.key)
        if judge is None or is_even(judge(game), margin_cp):
            refused = 0
            yield Opening(None, moves)
