"""A stand-in for an engine that speaks OTEP: it plays the first legal move of our rules."""

import sys

from arena.games.game import Game
from arena.games.tafl import otn as notation
from arena.games.variants import resolve


def main() -> None:
    print("hello", flush=True)
    game: Game | None = None
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "rules":
            told = notation.read_rules(rest)
            game = Game(*resolve(told.variant, told.rules, told.fen))
        elif word == "opponent-move":
            assert game is not None
            for move in rest.split()[0].split("|"):
                game.play(notation.read_move(move))
        elif word == "play":
            assert game is not None and (rest == "attackers") == (game.position.side == "p1")
            move = game.position.moves()[0].text
            game.play(move)
            print(f"status {move}", flush=True)
            print(f"move {notation.move_record(move)}", flush=True)
        elif word == "goodbye":
            return


main()
