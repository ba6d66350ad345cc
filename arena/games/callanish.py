"""Callanish: two players stack stones by knight's moves until one holds a line through the other's reply.

Owns the rules of Callanish on any board: positions, turns, who has won. What can be worked out before a game begins
is in `arena.games.callanish_board`; which boards have names is in `arena.games.variants`.
"""

import re
from collections.abc import Hashable
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from arena.games.callanish_board import LOTS, CallanishBoard, Shape, Turn, bits_of, board_of
from arena.games.rules import BadPosition, Move, Outcome, Playout, Position, Reason, Side
from arena.games.squares import EMPTY, HOLE, SQUARE_PATTERN, Drawing, read_position, square_name, write_rows

LETTERS = "wbWB*"

_WORD = re.compile(f"{SQUARE_PATTERN}(?:{SQUARE_PATTERN}{SQUARE_PATTERN})?")
_new: Final = tuple.__new__
_TRIES = range(24)
"""Lots drawn in vain before the turns are listed: by then the list costs less than what is likely still to come."""

# By the side to move: it holds a line, so it has won; it has no turn, so the other side has.
_LINE: dict[Side, Outcome] = {side: Outcome(side, Reason.LINE) for side in ("p1", "p2")}
_NO_TURN: dict[Side, Outcome] = {"p1": Outcome("p2", Reason.NO_TURN), "p2": Outcome("p1", Reason.NO_TURN)}


class CallanishPosition(NamedTuple):
    """A board seen by the side to move: `own` is the mover, `other` the opponent. Squares are bits of `board`."""

    board: CallanishBoard
    own: int
    """Squares that the mover controls, so has an exposed stone on."""
    own_buried: int
    """Squares where a stone of the mover lies under one of the opponent."""
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
        targets, spare = board.glances[other.bit_length()]
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
        return sorted(self.moves(), key=_word_of)

    def playout(self, chance: Random, plies: int) -> Playout:
        # What `play` does, without a value for every ply: each side's stones are a list that follows the bits, and
        # a turn is drawn from it by lot until one fits, which favours none of those that fit.
        position, line = self, list[Turn]()
        random, firsts = chance.random, self.board.firsts
        while position.outcome is None and not (position.own and position.other) and len(line) < plies:
            turns = position.moves() if position.own else firsts
            move = turns[int(random() * len(turns))]
            if not move.add & position.other:
                line.append(move)
                position = position.play(move)
        board, own, own_buried, other, other_buried, own_lines, other_lines, side, _, outcome = position
        lots, full, supply = board.lots, board.full, board.supply
        mine, theirs = [lots[bit] for bit in bits_of(own)], [lots[bit] for bit in bits_of(other)]
        while mine and outcome is None and len(line) < plies:
            stones = own | own_buried
            count = len(mine)
            for _ in _TRIES:
                stone = int(random() * count)
                move = mine[stone][int(random() * LOTS)]
                if not stones & move.add:
                    break
            else:
                moves = _turns(board, own, ~stones)
                if not moves:
                    break
                move = moves[int(random() * len(moves))]
                stone = mine.index(lots[move.take])
            line.append(move)
            _, take, add, first, second, gain, take_weight, first_weight, second_weight = move
            own = own ^ take | add
            mine[stone] = lots[first]
            mine.append(lots[second])
            if take & other_buried:
                other_buried ^= take
                other |= take
                other_lines += take_weight
                theirs.append(lots[take])
            if add & other:
                covered = add & other
                other ^= covered
                other_buried |= covered
                if covered & first:
                    other_lines -= first_weight
                    theirs.remove(lots[first])
                if covered & second:
                    other_lines -= second_weight
                    theirs.remove(lots[second])
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
    """Callanish on one shape of board, or on any board (`shape` None, which then starts on `start_shape`)."""

    base: str
    start_shape: Shape
    any_shape: bool = False
    supply: int | None = None

    repetition = None
    draws = False

    @property
    def name(self) -> str:
        return f"{self.base}:{self.knobs}" if self.knobs else self.base

    @property
    def knobs(self) -> str:
        return "" if self.supply is None else f"supply={self.supply}"

    def start(self) -> CallanishPosition:
        board = board_of(self.start_shape, self.supply)
        return CallanishPosition(board, 0, 0, 0, 0, board.no_lines, board.no_lines, "p1", 1, None)

    def parse(self, fen: str) -> CallanishPosition:
        drawing = read_position(fen, LETTERS)
        shape = _shape_of(drawing)
        if not self.any_shape and shape != self.start_shape:
            raise BadPosition(
                f"{_difference(shape, self.start_shape, self.base)}; a board of its own has the variant callanish"
            )
        if shape.width * shape.height - len(shape.holes) < 2:
            raise BadPosition("the board has fewer than 2 playable squares; nobody could place a second stone")
        return _stones_of(drawing, board_of(shape, self.supply))

    def wellformed(self, word: str) -> bool:
        return _WORD.fullmatch(word) is not None

    def warnings(self, position: Position) -> list[str]:
        assert isinstance(position, CallanishPosition)
        board = position.board
        width, height, _ = board.shape
        found = []
        if width % 2 == 0 or height % 2 == 0:
            found.append(f"the board has {width} files and {height} ranks; the rules advise odd numbers")
        if width < 7 or height < 7:
            found.append(f"the board has {width} files and {height} ranks; the rules advise 7 or more of each")
        even = [board.line_name(field) for field, size in enumerate(board.line_sizes) if size and size % 2 == 0]
        if even:
            found.append(f"an even number of squares, where the rules advise an odd one, in {', '.join(even)}")
        single = [board.line_name(field) for field, need in enumerate(board.needs) if need == 1]
        if single:
            found.append(f"one stone is enough and wins at once in {', '.join(single)}")
        return found


def _has_turn(board: CallanishBoard, own: int, own_buried: int, other: int) -> bool:
    """Has the side `own` a complete turn? The first stone with two free targets decides."""
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
    """The turns of a side with these exposed stones; `free` are the squares without a stone of its own."""
    knights, choices = board.knights, board.choices
    turns: list[Turn] = []
    while own:
        bit = own & -own
        own ^= bit
        targets = knights[bit] & free
        if targets & (targets - 1):
            turns += choices[bit][targets]
    return turns


def _word_of(turn: Turn) -> str:
    return turn.text


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
    found = {letter: 0 for letter in LETTERS + EMPTY}
    height = len(drawing.rows)
    for number, row in enumerate(drawing.rows):
        for file, letter in enumerate(row):
            found[letter] |= 1 << (file * height + height - 1 - number)
    white, white_buried = found["w"] | found["W"], found["B"]
    black, black_buried = found["b"] | found["B"], found["W"]
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
