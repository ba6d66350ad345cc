"""Both strong engines as one player, for tournaments of both games: stornoway in Callanish, buckquoy in tafl."""

from arena.games.variants import kind_of
from engines.buckquoy import BuckquoyPlayer
from engines.common import Line, RulesEngine
from engines.native.player import NativePlayer, play
from engines.stornoway import StornowayPlayer
from protocol.engine import Root, Search


class StrongPlayer(RulesEngine):
    """Plays every variant. It knows the rules, and hands each search to the engine of the game."""

    name = "Strong"
    options = NativePlayer.options
    variants = StornowayPlayer.variants + BuckquoyPlayer.variants

    def __init__(self) -> None:
        self._stornoway, self._buckquoy = StornowayPlayer(), BuckquoyPlayer()
        super().__init__()

    def new_game(self) -> None:
        super().new_game()
        self._stornoway.new_game()
        self._buckquoy.new_game()

    def prepare(self, root: Root) -> None:
        self._player(Line(root)).prepare(root)

    def set_option(self, name: str, value: str) -> None:
        self._stornoway.set_option(name, value)
        self._buckquoy.set_option(name, value)
        super().set_option(name, value)

    def choose(self, line: Line, search: Search) -> str:
        return self._player(line).choose(line, search)

    def _player(self, line: Line) -> NativePlayer:
        return self._buckquoy if kind_of(line.game.rules).name == "tafl" else self._stornoway


if __name__ == "__main__":
    play(StrongPlayer())
