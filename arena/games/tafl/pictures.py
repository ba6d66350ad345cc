"""Pictures of the rules that are hard to tell in words: a small board before and after one move."""

from arena.games.game import Game
from arena.games.kind import Lang
from arena.games.tafl.facts import facts
from arena.games.tafl.rules import TaflRules
from arena.games.tafl.variants import TAFL
from arena.games.texts import Texts

_SCENES = {
    "shieldwall": ("7/3d3/4k2/4a2/7/2aa3/1add3 p1 1", "e4e1"),
    "encirclement": ("7/2aaa2/1a2da1/1a1k1a1/1ad3a/2aaa2/7 p1 1", "g3f3"),
    "fort": ("7/1a5/3a2a/5d1/7/3dd2/2dk3 p2 1", "f4f1"),
}
"""By the rule option a position on 7x7 and the move that shows the rule."""


def pictures(rules: TaflRules, lang: Lang) -> list[tuple[str, Game]]:
    """A caption and a game of one move for each special rule of these rules."""
    options, say = rules.options, Texts(facts(rules), lang, __file__)
    # The moves of the scenes are long, and a small board has no camps.
    brandub, options = TAFL["brandub"], options.changed({"camps": "no", "men_steps": "any", "king_steps": "any"})
    small = TaflRules("brandub", brandub.start, brandub.options, options)
    shown = []
    for name, (fen, move) in _SCENES.items():
        if getattr(options, name) != "no":
            game = Game(small, small.parse(fen))
            game.play(move)
            shown.append((say(f"picture {name}", move=move), game))
    return shown
