"""The strong engine for Callanish: its search is in C, in `engines/native/stornoway.c`."""

from collections.abc import Sequence

from arena.games import variants
from arena.games.callanish import KIND
from arena.games.callanish.rules import CallanishPosition
from engines.native.kernel import words_of
from engines.native.player import Grade, NativePlayer, play

LARGEST_SIDE = 13
NO_SQUARE = 175
"""The square that a placement comes from."""


class StornowayPlayer(NativePlayer):
    """Plays every board of Callanish; those up to 13x13 with its search in C."""

    name = "Stornoway"
    library = "stornoway"
    grades = (
        *(Grade(1, slips) for slips in (68, 40, 20)),
        *map(Grade, (3, 22, 110, 450, 1_700, 8_000, 32_000, 130_000)),
    )
    variants = (variants.DEFAULT, *(name for name in KIND.variants() if name != variants.DEFAULT))

    def board(self, position: CallanishPosition) -> tuple[str, tuple[int, ...]] | None:
        board = position.board
        width, height, _ = board.shape
        if max(width, height) > LARGEST_SIDE:
            return None
        words = max(-(-width * height // 64), 1)
        return f"stornoway_{words}", (width, height, board.supply or 0, *words_of(board.playable))

    def words(self, position: CallanishPosition) -> Sequence[int]:
        _, own, own_buried, other, other_buried, _, _, side, _, _ = position
        mine, theirs = words_of(own) + words_of(own_buried), words_of(other) + words_of(other_buried)
        return [*mine, *theirs, 0] if side == "p1" else [*theirs, *mine, 1]

    def move(self, position: CallanishPosition, number: int) -> str:
        names = position.board.square_names
        start, first, second = number & 255, number >> 8 & 255, number >> 16 & 255
        if start == NO_SQUARE:
            return names[first]
        return names[start] + names[first] + names[second]


if __name__ == "__main__":
    play(StornowayPlayer())
