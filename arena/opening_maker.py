"""Makes openings: random plies that lead to different positions, kept where judges find both sides even.

A judge is an engine. It may be asked for a score, and judges may play an opening out against each other: an opening
that one side wins whoever plays it does not tell engines apart. Writes no file.
"""

import contextlib
import itertools
import shlex
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from arena.games import variants
from arena.games.game import Game
from arena.games.rules import Rules
from arena.games.symmetry import symmetries, symmetry_of_start
from arena.openings.books import Opening, Start
from arena.planning.errors import EngineUnavailable, PlanError, require_range
from arena.planning.introductions import check_options, variant_refusal
from arena.play import random_opening
from arena.play.engine_pool import LiveEngine
from arena.play.jobs import EngineSpec, Terms
from arena.play.referee import position_line
from arena.play.trial_start import refusal
from arena.timing.clock import MS
from arena.timing.time_control import MOVE_LIMIT_MS, fixed
from protocol import grammar
from protocol.faults import CannotStart, EngineFault, Fault
from protocol.messages import Score
from protocol.session import Session
from results.variant_name import shown

MOST = 1_000_000
MOST_PLIES = 200
MAX_REFUSED = 1_000
"""After so many refused openings in a row the search ends: there are no more, or too few to wait for."""
LONGEST_GAME = 300
"""Plies after which a game that judges play is a draw."""

Check = Callable[[Game], bool]


@dataclass(frozen=True, slots=True)
class Order:
    """Which openings are made, and how judges decide that they are even."""

    rules: Rules
    plies: int
    count: int
    seed: int
    judges: tuple[str, ...]
    """The engines as the user named them; without one every opening is kept."""
    nodes: tuple[int, ...]
    margin_cp: int
    centre_cp: int | None
    """None: as 0."""
    games: tuple[int, ...]
    """Nodes of the judges' games; none where they do not play openings out."""
    share: float

    def validate(self) -> None:
        """Raise PlanError for a number that is out of range."""
        require_range("--plies", self.plies, 0, MOST_PLIES)
        require_range("--count", self.count, 1, MOST)
        require_range("--margin", self.margin_cp, 0, 1_000_000)
        require_range("--centre", self.centre_cp or 0, -1_000_000, 1_000_000)
        require_range("--share", self.share, 0.5, 1)
        require_range("--seed", self.seed, 0, 2**63 - 1)

    @property
    def command(self) -> str:
        """The command that makes the same openings again."""
        words = ["arena", "openings", "make", "--variant", self.rules.name]
        words += ["--plies", str(self.plies), "--count", str(self.count)]
        for word in self.judges:
            words += ["--engine", word]
        if self.judges:
            words += ["--nodes", ",".join(map(str, self.nodes)), "--margin", str(self.margin_cp)]
            words += [] if self.centre_cp is None else ["--centre", str(self.centre_cp)]
        if self.games:
            words += ["--games", ",".join(map(str, self.games)), "--share", f"{self.share:g}"]
        return shlex.join([*words, "--seed", str(self.seed)])

    def text(self, openings: Sequence[Opening]) -> str:
        """The file. Raises PlanError where there are too few openings."""
        if len(openings) < self.count:
            what = "different openings that the judges call even" if self.judges else "different openings"
            raise PlanError(
                f"only {len(openings)} of {self.count} {what} of {self.plies} plies were found: "
                "ask for fewer or for more plies"
                + (", or widen --margin" if self.judges else "")
                + (" or --share" if self.games else "")
            )
        name, start = shown(self.rules.name), self.rules.start().fen()
        head = f"# {self.count} openings of {name}, each of {self.plies} random plies and leading elsewhere; made by\n"
        lines = [f"{' '.join(opening.moves) or start}\n" for opening in openings]
        return "".join([head, f"# {self.command}\n", *lines])


@contextlib.contextmanager
def maker(order: Order, specs: Sequence[EngineSpec]) -> Iterator[Iterator[Opening]]:
    """The openings, made one by one while the block runs; `specs` are the judges. Raises as `engine_judge` does."""
    name = order.rules.name
    with contextlib.ExitStack() as held:
        judges = [held.enter_context(engine_judge(spec, name, order.seed)) for spec in specs]
        checks: list[Check] = []
        if judges:
            checks.append(even_scores(judges, order.nodes, order.margin_cp, order.centre_cp or 0))
            checks += [open_games(judges, order.games, order.share)] if order.games else []
        yield itertools.islice(generate(name, order.plies, order.seed, checks), order.count)


class NoScore(ValueError):
    """The judge gave no score. The message is one sentence."""


class EngineJudge:
    """An engine that is asked about openings. Each question and each game is a new game for it.

    Raises CannotStart and EngineFault when it starts, and EngineFault when it is asked.
    """

    def __init__(self, spec: EngineSpec, seed: int) -> None:
        self.name = spec.name
        self._terms = Terms(fixed("nodes", 1))
        self._seed = seed
        self._session: Session | None = None
        self._knows_start = True
        self.live = LiveEngine(spec)

    def begin(self, game: Game) -> None:
        """Forget all earlier positions, so that they cannot change the answers."""
        ready = self.live.begin(game.rules, self._seed, self._terms)
        self._session, self._knows_start = ready.session, ready.knows_start

    def search(self, game: Game, nodes: int) -> tuple[str, Score | None]:
        """The engine's move, and its score from the side to move."""
        assert self._session is not None
        self._session.prepare(position_line(game, self._knows_start))
        reply, _ = self._session.search(grammar.go_nodes(nodes), MOVE_LIMIT_MS * MS, Fault.STALL)
        return reply.word, grammar.summary(reply.last_info).score


@contextlib.contextmanager
def engine_judge(spec: EngineSpec, variant: str, seed: int) -> Iterator[EngineJudge]:
    """The engine as a judge of this variant's openings, while the block runs.

    Raises EngineUnavailable where it cannot be started, and PlanError where it cannot judge, also out of the block.
    """
    try:
        judge = EngineJudge(spec, seed)
    except (CannotStart, EngineFault) as refused:
        raise EngineUnavailable(refusal(spec, refused)) from None
    try:
        try:
            check_options(spec, judge.live.identity)
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


def even_scores(judges: Sequence[EngineJudge], levels: Sequence[int], margin_cp: int, centre_cp: int) -> Check:
    """Keeps an opening if every judge, with each of these numbers of nodes, gives a score within the margin.

    `centre_cp` is p1's score that is even: where one side wins more often, evaluations may be wrong by so much.
    """

    def check(game: Game) -> bool:
        centre = centre_cp if game.position.side == "p1" else -centre_cp
        for nodes in levels:
            for judge in judges:
                judge.begin(game)
                if not is_even(judge.search(game, nodes)[1], margin_cp, centre):
                    return False
        return True

    return check


def open_games(judges: Sequence[EngineJudge], levels: Sequence[int], share: float) -> Check:
    """Keeps an opening if neither side takes more than `share` of the points when judges play it out.

    With each number of nodes any two judges play a pair of games, one with each side. A single judge plays one game
    against itself. A proven win ends a game.
    """
    meetings = [pair for pair in itertools.product(judges, judges) if len(judges) == 1 or pair[0] is not pair[1]]
    games = [(one, two, nodes) for nodes in levels for one, two in meetings]

    def check(game: Game) -> bool:
        p1 = p2 = 0.0
        for one, two, nodes in games:
            points = played_out(game, one, two, nodes)
            p1, p2 = p1 + points, p2 + 1 - points
            if max(p1, p2) > share * len(games):
                return False
        return True

    return check


def played_out(game: Game, one: EngineJudge, two: EngineJudge, nodes: int) -> float:
    """The points of p1, which `one` plays, in a game from this position. Raises PlanError."""
    players = {"p1": one, "p2": two}
    line = Game(game.rules, game.start)
    for word in game.moves:
        line.play(word)
    for judge in dict.fromkeys((one, two)):
        judge.begin(line)
    while line.outcome is None and len(line.moves) < LONGEST_GAME:
        side = line.position.side
        word, score = players[side].search(line, nodes)
        if score is not None and score.kind == "mate" and score.bound is None:
            return float((score.value > 0) == (side == "p1"))
        move = line.position.find(word)
        if move is None:
            raise PlanError(f"engine {players[side].name!r} played {word!r}, which is illegal: it is no judge")
        line.advance(move)
    winner = None if line.outcome is None else line.outcome.winner
    return {"p1": 1.0, "p2": 0.0}.get(winner or "", 0.5)


def is_even(score: Score | None, margin_cp: int, centre_cp: int = 0) -> bool:
    """Whether this is a score, and no mate, within the margin around the centre. Raises NoScore if there is none."""
    if score is None or score.bound is not None:
        raise NoScore("the engine says no score to judge openings by: name another one")
    return score.kind == "cp" and abs(score.value - centre_cp) <= margin_cp


def generate(variant: str, plies: int, seed: int, checks: Sequence[Check] = ()) -> Iterator[Opening]:
    """Openings of `plies` random plies that pass all checks, the same for the same seed. Ends after the last one.

    Each leads to another position, also if the board is turned or mirrored, in a game whose rules that keeps. Raises
    NoOpening if there is no opening of this length, and what the checks raise.
    """
    rules, start = variants.resolve(variant)
    fold = symmetry_of_start(start.fen(), symmetries(start.fen())) if variants.kind_of(rules).symmetric else None
    seen = set[Hashable]()
    number = refused = 0
    while refused < MAX_REFUSED:
        moves = random_opening.draw(rules, start, plies, f"{seed}/made/{number}")
        number += 1
        refused += 1
        game = Game(rules, start)
        for word in moves:
            game.play(word)
        key = game.position.key if fold is None else fold.position(game.position)
        if key in seen:
            continue
        seen.add(key)
        if all(check(game) for check in checks):
            refused = 0
            yield Opening(None, moves)
