"""The tafl family: attackers against a king who wants to escape. The rule options make many variants of it.

What can be worked out before a game begins is in `arena.games.tafl.board`. The rule options and the named variants are
in `arena.games.tafl.variants`. Repetition is judged by `arena.games.game`.
"""

import re
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from random import Random
from typing import Final, NamedTuple

from arena.games.rules import BadPosition, Move, Outcome, OwnVariant, Playout, Position, Repetition, Side
from arena.games.squares import EMPTY, SQUARE_PATTERN, read_position, square_name, write_rows
from arena.games.tafl.board import EdgeRow, Slide, TaflBoard, board_of
from arena.games.tafl.variants import NoMove, RuleOptions

LETTERS = "adk"

_WORD = re.compile(SQUARE_PATTERN * 2)
_new: Final = tuple.__new__
_TRIES = range(24)
"""The random tries before all moves are listed. More tries would on average cost more time than the list."""

_ESCAPED = Outcome("p2", "king-escaped")
_CAPTURED = Outcome("p1", "king-captured")
_ENCIRCLED = Outcome("p1", "encircled")
_FORT = Outcome("p2", "fort")
_STUCK: dict[NoMove, dict[Side, Outcome]] = {
    "loses": {"p1": Outcome("p2", "no-move"), "p2": Outcome("p1", "no-move")},
    "draw": {"p1": Outcome("draw", "no-move"), "p2": Outcome("draw", "no-move")},
}


class TaflPosition(NamedTuple):
    """A board as the side to move sees it. `own` are its men and `other` the opponent's; the king is in neither."""

    board: TaflBoard
    own: int
    other: int
    king: int
    """The bit of the king, who belongs to p2. 0 once he is captured."""
    side: Side
    turn: int
    outcome: Outcome | None

    @property
    def key(self) -> Hashable:
        _, own, other, king, side, _, _ = self
        return own, other, king, side

    def find(self, word: str) -> Slide | None:
        board, own, other, king, side, _, outcome = self
        move = board.words.get(word)
        if move is None or outcome is not None or move.path & (own | other | king):
            return None
        if move.start & own:
            return move if move.man else None
        return move if move.king and side == "p2" and move.start == king else None

    def play(self, move: Move) -> "TaflPosition":
        assert isinstance(move, Slide)
        board, own, other, king, side, turn, _ = self
        _, start, to, _, _, _, near, pairs, rows, ring = move
        outcome = None
        if side == "p1":
            own ^= start | to
            if near & (other | king):
                hostile = own | board.hostile
                if board.hostile_centre and not board.centre & (own | other | king):
                    hostile |= board.centre
                taken = 0
                for middle, beyond in pairs:
                    if beyond & hostile:
                        taken |= middle
                if near & king and _king_falls(board, own, other, king, taken):
                    king = 0
                    outcome = _CAPTURED
                if rows and near & board.edge & (other | king):
                    taken |= row_captures(board, rows, own, other | king, own | other | king)
                other &= ~taken
            if (
                ring
                and not board.edge & (other | king)
                and (other != self[2] or (ring & own).bit_count() > 1)
                and outcome is None
                and is_encircled(board, own, other | king)
            ):
                outcome = _ENCIRCLED
            side = "p2"
        else:
            armed = True
            if start == king:
                king = to
                armed = board.king_armed
                if to & board.escapes:
                    outcome = _ESCAPED
            else:
                own ^= start | to
            if armed and near & other:
                hostile = own | board.hostile
                if board.king_armed:
                    hostile |= king
                if board.hostile_centre and not board.centre & (own | other | king):
                    hostile |= board.centre
                for middle, beyond in pairs:
                    if middle & other and beyond & hostile:
                        other ^= middle
                if rows and near & board.edge & self[2]:
                    armed_men = own | king if board.king_armed else own
                    other &= ~row_captures(board, rows, armed_men, self[2], own | self[2] | king)
            if king & board.fort_edge and outcome is None and fort_wall(board, other, own, king):
                outcome = _FORT
            side = "p1"
            turn += 1
        if outcome is None and not board.last_man_steps[other.bit_length()] & ~(own | other | king):
            outcome = _stuck(board, other, own, king, side)
        return _new(TaflPosition, (board, other, own, king, side, turn, outcome))

    def moves(self) -> list[Slide]:
        board, own, other, king, side, _, outcome = self
        return [] if outcome is not None else _moves(board, own, other, king, side)

    def legal_moves(self) -> list[Slide]:
        return sorted(self.moves(), key=attrgetter("text"))

    def playout(self, chance: Random, plies: int) -> Playout:
        # A random piece and a random entry of its padded moves are drawn until the move is possible: so all possible
        # moves are equally likely. The padded moves of each side's pieces are kept in a list that follows the board.
        position, line = self, list[Slide]()
        board, own, other, king, side, _, outcome = position
        random, length = chance.random, board.padded_length
        mine, theirs = (
            _padded_moves(board, own, king, side),
            _padded_moves(board, other, king, "p1" if side == "p2" else "p2"),
        )
        while outcome is None and len(line) < plies:
            occupied = own | other | king
            count = len(mine)
            for _ in _TRIES:
                piece = int(random() * count)
                slide = mine[piece][int(random() * length)]
                if not occupied & slide.path:
                    break
            else:
                moves = _moves(board, own, other, king, side)
                slide = moves[int(random() * len(moves))]
                piece = mine.index(
                    board.padded_king_moves[king] if slide.start == king else board.padded_moves[slide.start]
                )
            line.append(slide)
            mine[piece] = board.padded_king_moves[slide.to] if slide.start == king else board.padded_moves[slide.to]
            position, before = position.play(slide), other
            board, own, other, king, side, _, outcome = position
            if own != before:
                theirs = _padded_moves(board, own, king, side)
            mine, theirs = theirs, mine
        return Playout(outcome, line)

    def fen(self) -> str:
        board, own, other, king, side, turn, _ = self
        attackers, defenders = (own, other) if side == "p1" else (other, own)
        rows = []
        for rank in reversed(range(board.size)):
            row = ""
            for file in range(board.size):
                bit = 1 << (file * board.stride + rank)
                row += "a" if attackers & bit else "d" if defenders & bit else "k" if king & bit else EMPTY
            rows.append(row)
        return f"{write_rows(rows)} {side} {turn}"


class _BeforeEncircled(TaflPosition):
    """A position that was set up with all of p2 surrounded and p1 to move, so that p1 has yet to make its move."""

    __slots__ = ()

    def play(self, move: Move) -> TaflPosition:
        after = TaflPosition.play(self, move)
        # The quick look in `TaflPosition.play` relies on it that the attackers did not surround p2 before. A ring comes
        # before the lack of a move.
        over = after.outcome is not None and after.outcome.reason != "no-move"
        if not over and is_encircled(after.board, after.other, after.own | after.king):
            return after._replace(outcome=_ENCIRCLED)
        return after


@lru_cache(maxsize=64)
def _changed_options(own_options: RuleOptions, options: RuleOptions) -> str:
    """The options that differ from the variant's own. Cached: it is asked for several times a game."""
    own = dict(own_options.items())
    return " ".join(f"{name}={value}" for name, value in options.items() if value != own[name])


@dataclass(frozen=True, slots=True)
class TaflRules:
    """One tafl variant with its start board. Its rule options are `own_options` before any change, then `options`."""

    base: str
    start_fen: str
    own_options: RuleOptions
    options: RuleOptions
    own: OwnVariant | None = None

    draws = True

    @property
    def name(self) -> str:
        if self.own is not None:
            return self.own.text(self.base, self.changed_options)
        changed = self.changed_options.replace(" ", ",")
        return f"{self.base}:{changed}" if changed else self.base

    @property
    def changed_options(self) -> str:
        return _changed_options(self.own_options, self.options)

    @property
    def repetition(self) -> Repetition:
        return self.options.repetition

    @property
    def occurrences(self) -> int:
        return int(self.options.occurrences)

    @property
    def size(self) -> int:
        """The number of files, which is also the number of ranks."""
        return self.start_fen.count("/") + 1

    def start(self) -> TaflPosition:
        return self.parse(self.start_fen)

    def parse(self, fen: str) -> TaflPosition:
        rows, side, turn = read_position(fen, LETTERS)
        size = self.size
        if len(rows) != size or len(rows[0]) != size:
            raise BadPosition(
                f"{self.base} has {size} files and {size} ranks, this board has {len(rows[0])} and {len(rows)}"
            )
        board = board_of(size, self.options)
        squares = {letter: 0 for letter in LETTERS + EMPTY}
        kings = []
        for number, row in enumerate(rows):
            for file, letter in enumerate(row):
                name = square_name(file, size - 1 - number)
                squares[letter] |= board.bits[name]
                if letter == "k":
                    kings.append(name)
        if len(kings) != 1:
            where = f"{len(kings)} kings ({', '.join(kings)})" if kings else "no king"
            raise BadPosition(f"the board has {where}; it needs exactly one k")
        king = squares["k"]
        if king & board.escapes:
            raise BadPosition(f"the king on {kings[0]} has already escaped; put him on another square")
        attackers, defenders = squares["a"], squares["d"]
        own, other = (attackers, defenders) if side == "p1" else (defenders, attackers)
        position = TaflPosition(board, own, other, king, side, turn, None)
        if board.encirclement and is_encircled(board, attackers, defenders | king):
            if side == "p1":
                return _BeforeEncircled(*position)
            return position._replace(outcome=_ENCIRCLED)
        if king & board.fort_edge and side == "p1" and fort_wall(board, attackers, defenders, king):
            return position._replace(outcome=_FORT)
        return position._replace(outcome=_stuck(board, own, other, king, side))

    def wellformed(self, word: str) -> bool:
        return _WORD.fullmatch(word) is not None

    def warnings(self, position: Position) -> list[str]:
        return []


def _king_falls(board: TaflBoard, attackers: int, defenders: int, king: int, taken: int) -> bool:
    """Whether an attacker who has just come next to the king captures him. `taken` stands between two enemies."""
    need = board.king_needs.get(king)
    if need is None:
        return taken & king != 0
    around, or_empty, held = need
    return (around & (attackers | or_empty & ~defenders)).bit_count() >= held


def row_captures(board: TaflBoard, rows: tuple[EdgeRow, ...], own: int, enemies: int, occupied: int) -> int:
    """The pieces that a shieldwall captures in the rows from the square of a move, an enemy king among them."""
    taken = 0
    for row in rows:
        between = 0
        for square, front in row.squares:
            if square & enemies and front & own:
                between |= square
                continue
            if between.bit_count() > 1 and square & (own | board.closing_corners & ~occupied):
                taken |= between
            break
    return taken


def is_encircled(board: TaflBoard, attackers: int, enclosed: int) -> bool:
    """Whether no piece of `enclosed` can be reached from the edge through squares without attackers."""
    open_squares = board.squares & ~attackers
    reached, before = board.edge & open_squares, 0
    while reached != before:
        if reached & enclosed:
            return False
        before, reached = reached, board.spread(reached) & open_squares
    return True


def fort_wall(board: TaflBoard, attackers: int, defenders: int, king: int) -> int:
    """The wall of the king's fort on the edge: he has a free square beside him, and no attacker can break it. Else 0.

    The inside is what he can reach through empty squares. No attacker stands beside it and no corner belongs to it. No
    man of the wall around it can be captured: none has, on both sides of him along a file or a rank, attackers, empty
    squares outside or hostile squares.
    """
    # Along the edge the first piece on either side must be a man of the wall: this quick look ends most calls.
    occupied = attackers | defenders
    for row in board.rows[king]:
        for square, _ in row.squares:
            if square & occupied:
                break
        if not square & defenders:
            return 0
    empty = board.squares & ~(occupied | king)
    inside = board.flood(king, empty)
    wall = board.spread(inside) & ~inside
    if inside == king or inside & board.corners or wall & attackers:
        return 0
    outside = attackers | empty & ~inside | board.hostile
    stride = board.stride
    return 0 if wall & (outside << 1 & outside >> 1 | outside << stride & outside >> stride) else wall


def _stuck(board: TaflBoard, own: int, other: int, king: int, side: Side) -> Outcome | None:
    """How the game ends if `side`, to move, has no legal move; None if it has one. A man's free step is seen first."""
    free = board.squares & ~(own | other | king)
    men_steps = board.men_steps
    men = own
    while men:
        bit = men & -men
        if men_steps[bit] & free:
            return None
        men ^= bit
    if _moves(board, own, other, king, side):
        return None
    return _STUCK[board.options.no_move][side]


def _padded_moves(board: TaflBoard, men: int, king: int, side: Side) -> list[tuple[Slide, ...]]:
    """The padded moves of each piece of a side."""
    moves = [board.padded_king_moves[king]] if side == "p2" and king else []
    while men:
        bit = men & -men
        men ^= bit
        moves.append(board.padded_moves[bit])
    return moves


def _moves(board: TaflBoard, own: int, other: int, king: int, side: Side) -> list[Slide]:
    occupied = own | other | king
    lanes = board.men_lanes
    moves: list[Slide] = []
    while own:
        bit = own & -own
        own ^= bit
        file, file_reach, rank, rank_reach = lanes[bit]
        moves += file_reach[occupied & file]
        moves += rank_reach[occupied & rank]
    if side == "p2":
        file, file_reach, rank, rank_reach = board.king_lanes[king]
        moves += file_reach[occupied & file]
        moves += rank_reach[occupied & rank]
    return moves
