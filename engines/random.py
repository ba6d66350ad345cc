"""The engine that plays a random legal move, each with the same probability. Every other engine should beat it."""

from random import Random

from engines.common import Line, RulesEngine
from protocol.engine import Search, run


class RandomPlayer(RulesEngine):
    """Uses one generator for a whole game, so that a seed repeats a game."""

    name = "Random"

    def new_game(self) -> None:
        super().new_game()
        self._random = Random(int(self.settings["Seed"]))

    def choose(self, line: Line, search: Search) -> str:
        moves = line.game.choices()
        move = moves[int(self._random.random() * len(moves))].text
        search.info(depth=1, nodes=1, score_cp=0, time_ms=int(search.elapsed_ms()), pv=(move,))
        return move


if __name__ == "__main__":
    run(RandomPlayer())
