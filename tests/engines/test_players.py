"""The engines in process: legal moves everywhere, limits obeyed, wins taken, the same games from the same seeds."""

import time
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from arena.games import variants
from arena.games.callanish.rules import CallanishPosition
from arena.games.game import Game
from arena.games.rules import Position
from engines.alphabeta import AlphaBetaPlayer
from engines.budget import budget_of
from engines.common import RulesEngine
from engines.greedy import GreedyPlayer
from engines.mcts import MctsPlayer
from engines.random import RandomPlayer
from protocol.engine import Limits, Root, Search

PLAYERS: list[type[RulesEngine]] = [RandomPlayer, GreedyPlayer, AlphaBetaPlayer, MctsPlayer]
THINKERS: list[type[RulesEngine]] = [GreedyPlayer, AlphaBetaPlayer, MctsPlayer]
SEARCHERS: list[type[RulesEngine]] = [AlphaBetaPlayer, MctsPlayer]
KNOBS = [
    ("scottish", "king_captured_by=four repetition=loses"),
    ("scottish", "no_move=draw men_steps=1 king_steps=1"),
    ("brandub", "centre_hostile=yes king_armed=no corner_stop=any"),
    ("tawlbwrdd", "king_captured_by=four-three-two escape=corner"),
    ("copenhagen", "king_captured_by=all-sides shieldwall=yes centre_pass=king occurrences=2"),
    ("tablut-ashton", "centre_hostile=yes encirclement=wins fort=wins escape=corner king_captured_by=four-two"),
    ("callanish-7", "supply=6"),
]
DRAWN_BOARDS = ["3/3/3 p1 1", "7/2*1*2/7/3*3/7/7 p1 1", "12/12/12/12/12 p1"]


class Asked(Search):
    """A search without a referee: it keeps what is told and ends after `looks` questions whether to.

    Its time is the CPU's, of which a busy machine takes none away.
    """

    def __init__(self, limits: Limits, looks: float = float("inf")) -> None:
        self.limits = limits
        self.told: list[dict[str, Any]] = []
        self._looks = looks
        self._start_ns = time.thread_time_ns()

    def elapsed_ms(self) -> float:
        return (time.thread_time_ns() - self._start_ns) / 1_000_000

    def stopped(self) -> bool:
        self._looks -= 1
        return self._looks < 0

    def info(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        score_cp: int | None = None,
        score_mate: int | None = None,
        time_ms: int | None = None,
        pv: Iterable[str] = (),
        string: str | None = None,
    ) -> None:
        told = {"depth": depth, "nodes": nodes, "cp": score_cp, "mate": score_mate, "time": time_ms, "pv": tuple(pv)}
        self.told.append(told)


def ask(player: RulesEngine, root: Root, **limits: Any) -> tuple[str, dict[str, Any]]:
    """The player's move and the last thing it told."""
    search = Asked(Limits(**limits))
    move = player.search(root, search)
    return move, search.told[-1]


def game_at(root: Root) -> Game:
    rules, start = variants.resolve(root.variant, root.rules, root.fen)
    game = Game(rules, start)
    for word in root.moves:
        game.play(word)
    return game


def root_at(variant: str, rules: str, plies: int, seed: int, fen: str | None = None) -> Root:
    """A game of at most so many random plies that goes on."""
    chance = Random(seed)
    game = game_at(Root(variant, rules, fen, ()))
    while len(game.moves) < plies:
        word = chance.choice(game.position.moves()).text
        game.play(word)
        if game.outcome is not None:
            return Root(variant, rules, fen, tuple(game.moves[:-1]))
    return Root(variant, rules, fen, tuple(game.moves))


def answered_well(player: RulesEngine, root: Root, **limits: Any) -> None:
    """Ask for a move: it is legal, and what was told about it is complete, with a line that can be played."""
    player.new_game()
    move, told = ask(player, root, **limits)
    game = game_at(root)
    position = game.position
    assert position.find(move) is not None
    assert told["pv"][0] == move
    assert (told["cp"] is None) != (told["mate"] is None)
    assert told["mate"] != 0
    assert told["depth"] >= 1 and told["nodes"] >= 0 and told["time"] >= 0
    for word in told["pv"]:
        game.play(word)


def test_changed_rules_and_drawn_boards_are_played() -> None:
    """Each engine plays with changed knobs and on boards that somebody drew."""
    for kind in PLAYERS:
        player = kind()
        for seed, (variant, rules) in enumerate(KNOBS):
            answered_well(player, root_at(variant, rules, 18 * (seed % 2), seed), nodes=20)
        for seed, fen in enumerate(DRAWN_BOARDS):
            answered_well(player, root_at("callanish", "", 5 * (seed % 2), seed, fen), nodes=20)


def test_whole_games_are_played_to_the_end() -> None:
    """An engine plays both sides of a game until the rules end it, and has no move there."""
    for kind in PLAYERS:
        player = kind()
        for variant in ("callanish-7", "ard-ri-two"):
            player.new_game()
            root = root_at(variant, "", 2, seed=5)
            while game_at(root).outcome is None and len(root.moves) < 24:
                move, _ = ask(player, root, nodes=20)
                root = Root(variant, "", None, (*root.moves, move))
                assert len(game_at(root).moves) == len(root.moves)
            if game_at(root).outcome is not None:
                assert player.search(root, Asked(Limits(nodes=20))) == "0000"


def test_a_finished_position_has_no_move() -> None:
    """In a game that is over, by the board or by repetition, the answer is 0000 under any limit."""
    for kind in PLAYERS:
        shuffle = ("d1c1", "d3c3", "c1d1", "c3d3") * 2
        for root in (
            Root("scottish", "", None, shuffle),
            Root("callanish-7", "", "wwww3/7/7/7/7/7/bb5 p1 9", ()),
        ):
            for limits in (Limits(nodes=50), Limits(movetime_ms=20), Limits(depth=2), Limits(infinite=True)):
                assert kind().search(root, Asked(limits, looks=50)) == "0000"


def winning_words(position: Position) -> list[str]:
    """The moves that win at once, or in Callanish by a check that no reply breaks."""

    def wins(child: Position) -> bool:
        if child.outcome is not None:
            return child.outcome.winner == position.side
        if not isinstance(child, CallanishPosition) or not child.other_lines & child.board.full:
            return False
        replies = [child.play(reply).outcome for reply in child.moves()]
        return all(reply is not None and reply.winner == position.side for reply in replies)

    return [move.text for move in position.legal_moves() if wins(position.play(move))]


def won_roots(variant: str, wanted: int) -> list[tuple[Root, list[str]]]:
    """Positions of random games in which some move wins and some other does not."""
    found: list[tuple[Root, list[str]]] = []
    for seed in range(400):
        root = root_at(variant, "", 5 + seed % 30, seed)
        position = game_at(root).position
        words = winning_words(position)
        if 0 < len(words) < len(position.moves()):
            found.append((root, words))
            if len(found) == wanted:
                break
    assert len(found) == wanted
    return found


def test_a_win_is_taken() -> None:
    """Every engine that thinks takes a win that is there, and says so in plies."""
    for variant in ("callanish-7", "scottish", "brandub-nielsen", "ard-ri-two"):
        for root, words in won_roots(variant, 2):
            for kind in THINKERS:
                move, told = ask(kind(), root, nodes=1_000)
                assert move in words, (kind.name, root)
                assert told["mate"] in (1, 2)


@pytest.mark.parametrize("kind", PLAYERS)
def test_the_same_seed_and_nodes_are_the_same_game(kind: type[RulesEngine]) -> None:
    """With a nodes limit, the moves follow from the seed alone: not from time, nor from games before."""

    def play(player: RulesEngine, variant: str) -> list[str]:
        player.set_option("Seed", "7")
        player.new_game()
        root = Root(variant, "", None, ())
        while len(root.moves) < 4 and game_at(root).outcome is None:
            move, _ = ask(player, root, nodes=30)
            root = Root(variant, "", None, (*root.moves, move))
        return list(root.moves)

    used = kind()
    for variant in ("callanish-7", "scottish"):
        first = play(kind(), variant)
        assert first == play(used, variant)
        used.query(Root(variant, "", None, ()), ("perft", "2"))
        assert first == play(used, variant)


@pytest.mark.parametrize("kind", SEARCHERS)
@pytest.mark.parametrize("variant", ["callanish-7", "scottish"])
def test_a_depth_is_reached_and_kept(kind: type[RulesEngine], variant: str) -> None:
    """A search to a depth ends there, not before unless the game's end is in sight, and not after."""
    for depth in (1, 2, 3):
        _, told = ask(kind(), root_at(variant, "", 4, seed=2), depth=depth)
        assert told["depth"] == depth or (told["mate"] is not None and told["depth"] < depth)


def test_a_search_that_is_told_to_stop_stops() -> None:
    """`stop` ends a search without other limits, at the first question or at a later one, with a legal move."""
    for kind in SEARCHERS:
        for variant in ("callanish-9", "scottish", "callanish-25"):
            root = root_at(variant, "", 6, seed=4)
            for looks in (0, 1, 9):
                search = Asked(Limits(infinite=True), looks)
                move = kind().search(root, search)
                assert game_at(root).position.find(move) is not None
                assert search.told


def test_a_move_time_is_used_and_kept() -> None:
    """Most of a fixed time per move is taken and no more; the best of three, for Python's collector takes time, too."""
    for kind in SEARCHERS:
        root = root_at("callanish-9", "", 6, seed=4)
        took = []
        for _ in range(3):
            search = Asked(Limits(movetime_ms=30))
            kind().search(root, search)
            took.append((search.elapsed_ms(), search.told[-1]["time"]))
        assert 15 < min(took)[0] < 45
        assert min(took)[1] <= 35


# Two attackers against nine defenders: the king's side is far ahead, and each side has shuffled one man to and fro.
BEHIND = Root("scottish", "", "a6/2ddd2/2d1d2/2dkd2/2ddd2/7/6a p2 1", ("d3d2", "g1f1", "d2d3", "f1g1") * 2)
AHEAD = Root("scottish", "", "a6/2ddd2/2d1d2/2dkd2/2ddd2/7/6a p1 1", ("g1f1", "d3d2", "f1g1", "d2d3") * 2)


def before_the_last(root: Root, rules: str = "") -> Root:
    return Root(root.variant, rules, root.fen, root.moves[:-1])


def test_a_drawn_repetition_is_taken_by_the_loser_and_shunned_by_the_winner() -> None:
    """The third occurrence of a position is foreseen from the line of play, and worth a draw."""
    for kind in THINKERS:
        assert str(game_at(BEHIND).outcome) == str(game_at(AHEAD).outcome) != "None"
        move, told = ask(kind(), before_the_last(BEHIND), nodes=500)
        assert (move, told["cp"]) == ("f1g1", 0)
        move, told = ask(kind(), before_the_last(AHEAD), nodes=500)
        assert move != "d2d3"
        assert told["mate"] is not None or told["cp"] > 0


def test_the_budget_leaves_the_next_moves_their_time() -> None:
    """However often a player moves by the clock, it never spends what it does not have."""
    left_ms = 10_000.0
    for _ in range(200):
        soft_ms, hard_ms = budget_of(Limits(time_ms=max(int(left_ms), 1)))
        assert soft_ms is not None and hard_ms is not None
        assert 0 <= soft_ms <= hard_ms < max(left_ms, 1)
        left_ms -= hard_ms
    assert left_ms > 0


def test_the_budget_knows_each_limit() -> None:
    """A fixed time is used up, an increment is spent, moves to go share the clock, and no limit is none."""
    assert budget_of(Limits(infinite=True)) == (None, None)
    assert budget_of(Limits(depth=3)) == (None, None)
    _, fixed_ms = budget_of(Limits(movetime_ms=100))
    assert fixed_ms is not None and 90 <= fixed_ms <= 100
    few, many = budget_of(Limits(time_ms=10_000, moves_to_go=2)), budget_of(Limits(time_ms=10_000, moves_to_go=40))
    assert few.soft_ms is not None and many.soft_ms is not None and few.soft_ms > 5 * many.soft_ms
    plain, incremented = budget_of(Limits(time_ms=10_000)), budget_of(Limits(time_ms=10_000, inc_ms=1_000))
    poor = budget_of(Limits(time_ms=200, inc_ms=60_000))
    assert poor.hard_ms is not None and poor.hard_ms < 200
    assert plain.soft_ms is not None and incremented.soft_ms is not None and incremented.soft_ms > plain.soft_ms


QUERY = Root("scottish", "", None, ("d1c1", "d3c3"))


def test_queries_are_answered() -> None:
    """Each announced query has the rules' answer, and one that nobody knows has none."""
    for kind in PLAYERS:
        player = kind()
        position = game_at(QUERY).position
        words = [move.text for move in position.legal_moves()]
        assert player.query(QUERY, ("gameover",)) == "false"
        assert player.query(QUERY, ("result",)) == "none"
        assert player.query(QUERY, ("fen",)) == position.fen()
        assert player.query(QUERY, ("legalmoves",)) == f"{len(words)} {' '.join(words)}"
        assert player.query(QUERY, ("islegal", words[0])) == "true"
        assert player.query(QUERY, ("islegal", "a1a9")) == "false"
        assert player.query(QUERY, ("perft", "0")) == "1"
        assert player.query(QUERY, ("perft", "1")) == str(len(words))
        for nonsense in (("depth",), ("perft",), ("perft", "x"), ("perft", "-1"), ("islegal",), ()):
            assert player.query(QUERY, nonsense) is None
