"""The strong engine for tafl: its search is in C, in `engines/native/buckquoy.c`.

The C file has the rules of `arena.games.tafl.rules` a second time, for speed, and the tests compare.
"""

from collections.abc import Sequence
from functools import lru_cache

from arena.games.tafl import KIND as TAFL_KIND
from arena.games.tafl.board import TaflBoard, step_limit
from arena.games.tafl.rules import TaflPosition
from engines.native.kernel import words_of
from engines.native.player import Grade, NativePlayer, play

VALUES = {
    "king_captured_by": ("two", "four", "four-three-two", "four-two", "all-sides"),
    "centre_stop": ("king", "any", "nobody"),
    "centre_pass": ("king", "any", "nobody"),
    "centre_hostile": ("no", "yes", "always"),
    "shieldwall": ("no", "corner", "yes"),
}
"""The values of rule options in the order in which buckquoy.c numbers them, from 0."""
PARTS = {7: 1, 9: 2, 11: 3}
"""The part of the library that plays on a board with so many files."""
ANY_QUIET = 2**16 - 1
"""The plies since the last capture where they are not counted: any position of the game may occur again."""


class BuckquoyPlayer(NativePlayer):
    """Plays every variant of tafl, with its search in C."""

    name = "Buckquoy"
    library = "buckquoy"
    grades = (*(Grade(1, slips) for slips in (82, 55)), *map(Grade, (1, 10, 18, 50, 200, 900, 5_000, 25_000, 130_000)))
    variants = tuple(TAFL_KIND.variants())

    def board(self, position: TaflPosition) -> tuple[str, tuple[int, ...]] | None:
        part = PARTS.get(position.board.size)
        return None if part is None else (f"buckquoy_{part}", settings(position.board))

    def words(self, position: TaflPosition) -> Sequence[int]:
        return words(position)

    def move(self, position: TaflPosition, number: int) -> str:
        return words_by_move(position.board)[number]


def settings(board: TaflBoard) -> tuple[int, ...]:
    """What stays fixed in a game, as `options_t` in buckquoy.c has it."""
    options = board.options
    number = {name: values.index(getattr(options, name)) for name, values in VALUES.items()}
    return (
        board.size,
        options.escape == "corner",
        options.king_armed == "yes",
        step_limit(options.king_steps),
        step_limit(options.men_steps),
        number["king_captured_by"],
        number["centre_stop"],
        number["centre_hostile"],
        options.corner_stop == "any",
        options.corner_hostile == "yes",
        options.no_move == "draw",
        number["centre_pass"],
        options.camps == "yes",
        number["shieldwall"],
        options.encirclement == "wins",
        options.fort == "wins",
    )


def words(position: TaflPosition) -> list[int]:
    """A position as buckquoy.c reads it."""
    board, own, other, king, side, _, _ = position
    attackers, defenders = (own, other) if side == "p1" else (other, own)
    size = board.size
    place = _packed(king, size).bit_length() - 1 if king else 0
    men = words_of(_packed(attackers, size), 2) + words_of(_packed(defenders, size), 2)
    return [*men, place, int(side == "p2"), int(not king), ANY_QUIET]


@lru_cache(maxsize=4)
def words_by_move(board: TaflBoard) -> dict[int, str]:
    """The word of every rook's move of a board by its number in buckquoy.c."""
    size = board.size
    place = {bit: _packed(bit, size).bit_length() - 1 for bit in board.bits.values()}
    return {place[slide.start] + 128 * place[slide.to]: slide.text for slide in board.words.values()}


def _packed(squares: int, size: int) -> int:
    """A set of squares without the unused bit after each file."""
    packed, file = 0, (1 << size) - 1
    for number in range(size):
        packed |= (squares >> number * (size + 1) & file) << number * size
    return packed


if __name__ == "__main__":
    play(BuckquoyPlayer())
