"""Pictures of the rules that are hard to tell in words: a small board before and after one move."""

from dataclasses import replace
from typing import NamedTuple

from arena.games.game import Game
from arena.games.rules import Rules
from arena.games.tafl import TaflRules
from arena.games.variants import find
from arena.rulebook.board_drawing import DrawnBoard, Lang
from arena.rulebook.facts import facts
from arena.rulebook.game_boards import board_of_game
from arena.rulebook.sentences import Texts

_SCENES = {
    "shieldwall": ("7/3d3/4k2/4a2/7/2aa3/1add3 p1 1", "e4e1"),
    "encirclement": ("7/2aaa2/1a2da1/1a1k1a1/1ad3a/2aaa2/7 p1 1", "g3f3"),
    "fort": ("7/1a5/3a2a/5d1/7/3dd2/2dk3 p2 1", "f4f1"),
}
"""By the rule option a position on 7x7 and the move that shows the rule."""


class RulePicture(NamedTuple):
    """One rule at work."""

    caption: str
    before: DrawnBoard
    after: DrawnBoard


def pictures(rules: Rules, lang: Lang = "en") -> list[RulePicture]:
    """The pictures for these rules; none for variants without such rules."""
    if not isinstance(rules, TaflRules):
        return []
    options, say = rules.options, Texts(facts(rules), lang)
    # The moves of the scenes are long, and a small board has no camps.
    small = find("brandub")
    assert isinstance(small, TaflRules)
    small = replace(small, options=options.changed({"camps": "no", "men_steps": "any", "king_steps": "any"}))
    shown = []
    for name, (fen, move) in _SCENES.items():
        if getattr(options, name) != "no":
            game = Game(small, small.parse(fen))
            before = board_of_game(game)
            game.play(move)
            shown.append(RulePicture(say(f"picture {name}", move=move), before, board_of_game(game)))
    return shown
