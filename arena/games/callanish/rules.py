"""Callanish: two players stack stones by knight's moves until one holds a line through the other's reply.

What can be worked out before a game begins is in `arena.games.callanish.board`. The named boards are in
`arena.games.variants`.
"""

import re
from collections.abc import Hashable
from dataclasses import dataclass
from operator import attrgetter
from random import Random
from typing import Final, NamedTuple

from arena.games.callanish.board import PADDED_LENGTH, CallanishBoard, Shape, Turn, bits_of, board_of
from arena.games.rules import BadPosition, Move, Outcome, OwnVariant, Playout, Position, Side
from arena.games.squares import EMPTY, HOLE, SQUARE_PATTERN, Drawing, read_position, square_name, write_rows

LETTERS = "wbWB*"

_WORD = re.compile(f"{SQUARE_PATTERN}(?:{SQUARE_PATTERN}{SQUARE_PATTERN})?")
_new: Final = tuple.__new__
_TRIES = range(24)
"""The random tries before all turns are listed. More tries would on average cost more time than the list."""

# By the side to move. With a line it has won; without a turn it has lost.
_LINE: dict[Side, Outcome] = {side: Outcome(side, "line") for side in ("p1", "p2")}
_NO_TURN: dict[Side, Outcome] = {"p1": Outcome("p2", "no-turn"), "p2": Outcome("p1", "no-turn")}


class CallanishPosition(NamedTuple):
    """A board as the side to move sees it: `own` are its squares, `other` the opponent's, as bits of `board`."""

    board: CallanishBoard
    own: int
    """The squares that the mover controls, that is, where one of his stones is exposed."""
    own_buried: int
    """The squares where a stone of the mover lies under a stone of the opponent."""
    other: int
    other_buried: int
    own_lines: int
    """The mover's lines, packed as `CallanishBoard` says."""
    other_lines: int
    side: Side
    turn: int
    outcome: Outcome | None

    @property
    def key(self) -> Hashable:
        _, own, own_buried, other, other_buried, _, _, side, _, _ = self
        return own, own_buried, other, other_buried, side

    def find(self, word: str) -> Turn | None:
        board, own, own_buried, other, _, _, _, _, _, outcome = self
        move = board.words.get(word)
        if move is None or outcome is not None:
            return None
        stones = own | own_buried
        if move.take:
            return move if own & move.take and not stones & move.add else None
        return None if stones or other & move.add else move

    def play(self, move: Move) -> "CallanishPosition":
        assert isinstance(move, Turn)
        board, own, own_buried, other, other_buried, own_lines, other_lines, side, turn, _ = self
        _, take, add, first, second, gain, take_weight, first_weight, second_weight = move
        own = own ^ take | add
        if take & other_buried:
            other_buried ^= take
            other |= take
            other_lines += take_weight
        if add & other:
            covered = add & other
            other ^= covered
            other_buried |= covered
            if covered & first:
                other_lines -= first_weight
            if covered & second:
                other_lines -= second_weight
        if side == "p1":
            side = "p2"
        else:
            side = "p1"
            turn += 1
        targets, spare = board.last_stone_targets[other.bit_length()]
        if other_lines & board.full:
            outcome = _LINE[side]
        elif (targets & (other | other_buried)).bit_count() <= spare or _has_turn(board, other, other_buried, own):
            outcome = None
        else:
            outcome = _NO_TURN[side]
        return _new(
            CallanishPosition,
            (board, other, other_buried, own, own_buried, other_lines, own_lines + gain, side, turn, outcome),
        )

    def moves(self) -> list[Turn]:
        board, own, own_buried, other, _, _, _, _, _, outcome = self
        if outcome is not None:
            return []
        stones = own | own_buried
        if not stones:
            return [placement for bit, placement in board.placements.items() if not bit & other]
        return _turns(board, own, ~stones)

    def legal_moves(self) -> list[Turn]:
        return sorted(self.moves(), key=attrgetter("text"))

    def playout(self, chance: Random, plies: int) -> Playout:
        # This does what `play` does without making a position for every ply. Each side's stones are kept in a list that
        # follows the bits. A random stone and a random entry of its padded turns are drawn until the turn is possible:
        # so all possible turns are equally likely.
        position, line = self, list[Turn]()
        random, placements = chance.random, self.board.all_placements
        while position.outcome is None and not (position.own and position.other) and len(line) < plies:
            turns = position.moves() if position.own else placements
            move = turns[int(random() * len(turns))]
            if not move.add & position.other:
                line.append(move)
                position = position.play(move)
        board, own, own_buried, other, other_buried, own_lines, other_lines, side, _, outcome = position
        padded, full, supply = board.padded_turns, board.full, board.supply
        mine, theirs = [padded[bit] for bit in bits_of(own)], [padded[bit] for bit in bits_of(other)]
        while mine and outcome is None and len(line) < plies:
            stones = own | own_buried
            count = len(mine)
            for _ in _TRIES:
                stone = int(random() * count)
                move = mine[stone][int(random() * PADDED_LENGTH)]
                if not stones & move.add:
                    break
            else:
                moves = _turns(board, own, ~stones)
                if not moves:
                    break
                move = moves[int(random() * len(moves))]
                stone = mine.index(padded[move.take])
            line.append(move)
            _, take, add, first, second, gain, take_weight, first_weight, second_weight = move
            own = own ^ take | add
            mine[stone] = padded[first]
            mine.append(padded[second])
            if take & other_buried:
                other_buried ^= take
                other |= take
                other_lines += take_weight
                theirs.append(padded[take])
            if add & other:
                covered = add & other
                other ^= covered
                other_buried |= covered
                if covered & first:
                    other_lines -= first_weight
                    theirs.remove(padded[first])
                if covered & second:
                    other_lines -= second_weight
                    theirs.remove(padded[second])
            side = "p2" if side == "p1" else "p1"
            if other_lines & full:
                outcome = _LINE[side]
            elif supply is not None and not _has_turn(board, other, other_buried, own):
                outcome = _NO_TURN[side]
            own, other = other, own
            own_buried, other_buried = other_buried, own_buried
            own_lines, other_lines = other_lines, own_lines + gain
            mine, theirs = theirs, mine
        if outcome is None and not _has_turn(board, own, own_buried, other):
            outcome = _NO_TURN[side]
        return Playout(outcome, line)

    def fen(self) -> str:
        board, own, own_buried, other, other_buried, _, _, side, turn, _ = self
        single, covering = ("wb", "WB") if side == "p1" else ("bw", "BW")
        width, height, _ = board.shape
        rows = []
        for rank in reversed(range(height)):
            row = ""
            for file in range(width):
                bit = 1 << (file * height + rank)
                if own & bit:
                    row += covering[0] if other_buried & bit else single[0]
                elif other & bit:
                    row += covering[1] if own_buried & bit else single[1]
                else:
                    row += EMPTY if board.playable & bit else HOLE
            rows.append(row)
        return f"{write_rows(rows)} {side} {turn}"


@dataclass(frozen=True, slots=True)
class CallanishRules:
    """Callanish on the board `start_shape`, or on any board, which without a position string is `start_shape`."""

    base: str
    start_shape: Shape
    any_shape: bool = False
    supply: int | None = None
    """A side with so many stones on the board has no complete turn. None is no limit."""
    own: OwnVariant | None = None

    repetition = None
    occurrences = 0
    draws = False

    @property
    def name(self) -> str:
        if self.own is not None:
            return self.own.text(self.base, self.changed_options)
        return f"{self.base}:{self.changed_options}" if self.changed_options else self.base

    @property
    def changed_options(self) -> str:
        return "" if self.supply is None else f"supply={self.supply}"

    def start(self) -> CallanishPosition:
        if self.own is not None and self.own.start is not None:
            return self.parse(self.own.start)
        board = board_of(self.start_shape, self.supply)
        return CallanishPosition(board, 0, 0, 0, 0, board.no_lines, board.no_lines, "p1", 1, None)

    def parse(self, fen: str) -> CallanishPosition:
        drawing = read_position(fen, LETTERS)
        shape = _shape_of(drawing)
        if not self.any_shape and shape != self.start_shape:
            name = self.base if self.own is None else self.own.name
            raise BadPosition(
                f"{_difference(shape, self.start_shape, name)}; use the variant callanish for a board of your own"
            )
        if shape.width * shape.height - len(shape.holes) < 2:
            raise BadPosition("the board has fewer than 2 playable squares; there is no room for a second stone")
        return _stones_of(drawing, board_of(shape, self.supply))

    def wellformed(self, word: str) -> bool:
        return _WORD.fullmatch(word) is not None

    def warnings(self, position: Position) -> list[str]:
        assert isinstance(position, CallanishPosition)
        board = position.board
        width, height, _ = board.shape
        sentences = []
        is_odd = width % 2 == height % 2 == 1
        if not is_odd or min(width, height) < 7:
            wanted = "at least 7 files and 7 ranks" if is_odd else "an odd number of files and of ranks, at least 7"
            sentences.append(f"the rules recommend {wanted}; this board has {width} and {height}")
        even = [board.line_name(field) for field, size in enumerate(board.line_sizes) if size and size % 2 == 0]
        if is_odd and even:
            sentences.append(f"these lines have an even number of squares; the rules recommend odd: {', '.join(even)}")
        single = [board.line_name(field) for field, need in enumerate(board.needs) if need == 1]
        if single:
            sentences.append(f"one stone is enough to win these lines: {', '.join(single)}")
        return sentences


def _has_turn(board: CallanishBoard, own: int, own_buried: int, other: int) -> bool:
    """Whether the side `own` has a complete turn. The first stone with two free targets is enough."""
    stones = own | own_buried
    if board.supply is not None and stones.bit_count() >= board.supply:
        return False
    if not stones:
        return board.playable & ~other != 0
    knights = board.knights
    while own:
        bit = own & -own
        targets = knights[bit] & ~stones
        if targets & (targets - 1):
            return True
        own ^= bit
    return False


def _turns(board: CallanishBoard, own: int, free: int) -> list[Turn]:
    """The turns of a side with the exposed stones `own`. `free` are the squares without a stone of that side."""
    knights, choices = board.knights, board.choices
    turns: list[Turn] = []
    while own:
        bit = own & -own
        own ^= bit
        targets = knights[bit] & free
        if targets & (targets - 1):
            turns += choices[bit][targets]
    return turns


def _shape_of(drawing: Drawing) -> Shape:
    rows = drawing.rows
    holes = frozenset(
        square_name(file, len(rows) - 1 - number)
        for number, row in enumerate(rows)
        for file, letter in enumerate(row)
        if letter == HOLE
    )
    return Shape(len(rows[0]), len(rows), holes)


def _difference(shape: Shape, wanted: Shape, base: str) -> str:
    if shape[:2] != wanted[:2]:
        size = f"{wanted.width} files and {wanted.height} ranks"
        return f"{base} has {size}, this board has {shape.width} and {shape.height}"
    square = min(shape.holes ^ wanted.holes)
    return f"{base} has {'a hole' if square in wanted.holes else 'no hole'} on {square}"


def _stones_of(drawing: Drawing, board: CallanishBoard) -> CallanishPosition:
    squares = {letter: 0 for letter in LETTERS + EMPTY}
    height = len(drawing.rows)
    for number, row in enumerate(drawing.rows):
        for file, letter in enumerate(row):
            squares[letter] |= 1 << (file * height + height - 1 - number)
    white, white_buried = squares["w"] | squares["W"], squares["B"]
    black, black_buried = squares["b"] | squares["B"], squares["W"]
    if drawing.side == "p1":
        own, own_buried, other, other_buried = white, white_buried, black, black_buried
    else:
        own, own_buried, other, other_buried = black, black_buried, white, white_buried
    own_lines, other_lines = board.lines_of(own), board.lines_of(other)
    outcome = None
    if own_lines & board.full:
        outcome = _LINE[drawing.side]
    elif not _has_turn(board, own, own_buried, other):
        outcome = _NO_TURN[drawing.side]
    return CallanishPosition(
        board, own, own_buried, other, other_buried, own_lines, other_lines, drawing.side, drawing.turn, outcome
    )
