"""The engine that plays a random legal move, each with the same probability. Every other engine should beat it."""

from random import Random

from engines.common import NO_MOVE, Player
from protocol.engine import Root, Search, run


class RandomPlayer(Player):
    """Uses one generator for a whole game, so that a seed repeats a game."""

    name = "Random"

    def new_game(self) -> None:
        super().new_game()
        self._random = Random(int(self.settings["Seed"]))

    def search(self, root: Root, search: Search) -> str:
        game = self.line(root).game
        if game.outcome is not None:
            return NO_MOVE
        moves = game.position.moves()
        move = moves[int(self._random.random() * len(moves))].text
        search.info(depth=1, nodes=1, score_cp=0, time_ms=int(search.elapsed_ms()), pv=(move,))
        return move


if __name__ == "__main__":
    run(RandomPlayer())
