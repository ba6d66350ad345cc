"""The boards of a game, ready to draw: each with its special squares, its last move and what decided the game."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.games.board_drawing import DrawnBoard, squares
from arena.games.game import Game
from arena.games.kind import UNDECIDED, Decision, Lang
from arena.games.rules import Position, Rules
from arena.games.variants import kind_of


def board_of_start(rules: Rules) -> DrawnBoard:
    """The board that a variant starts with."""
    return _drawn(rules, rules.start(), "", UNDECIDED)


def board_of_game(game: Game) -> DrawnBoard:
    """The board where the game is."""
    return _drawn(game.rules, game.position, game.moves[-1] if game.moves else "", decision_of(game))


def boards_of_game(game: Game, positions: Sequence[Position]) -> list[DrawnBoard]:
    """The boards of a whole game, one for each of its positions from the start on, as `line.replay` gives them."""
    kind = kind_of(game.rules)
    moves, before = ["", *game.moves], [None, *positions]
    return [
        _drawn(game.rules, position, moves[ply], kind.deciding(before[ply], position))
        for ply, position in enumerate(positions)
    ]


class RulePicture(NamedTuple):
    """One rule at work."""

    caption: str
    before: DrawnBoard
    after: DrawnBoard


def pictures(rules: Rules, lang: Lang = "en") -> list[RulePicture]:
    """The pictures of the rules that are hard to tell in words."""
    return [
        RulePicture(caption, board_of_game(Game(game.rules, game.start)), board_of_game(game))
        for caption, game in kind_of(rules).pictures(rules, lang)
    ]


def decision_of(game: Game) -> Decision:
    """What decided this game, or what its last move did in a special way."""
    return kind_of(game.rules).deciding(game.before, game.position)


def _drawn(rules: Rules, position: Position, last_move: str, decision: Decision) -> DrawnBoard:
    kind = kind_of(rules)
    return DrawnBoard(kind, kind.rows(position), kind.marked(rules), squares(last_move), decision)
