"""Which rule of SPEC.md an engine gets wrong: the clause and a sentence for a case where it answers otherwise than we.

Looks at the boards as text and at the last move. What is right comes from `arena.games` alone.
"""

import re
from typing import NamedTuple

from arena.conformance.judge.fuzz_cases import FuzzCase
from arena.games.callanish.rules import CallanishRules
from arena.games.game import Game
from arena.games.game_words import canonical_word, legal_words
from arena.games.line import play_line, played
from arena.games.squares import EMPTY, SQUARE, Board, board_of, square_name
from arena.games.tafl.move_rules import kind
from arena.games.tafl.rules import TaflRules
from arena.games.variants import kind_of

_WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))


class NamedRule(NamedTuple):
    """The rule that decides a case: its clause in SPEC.md, and what it says here."""

    clause: str
    text: str


def rule(case: FuzzCase, query: str, response: str) -> NamedRule:
    """The rule that decides the answer to `query` at the end of the case, where the engine answers `response`."""
    game, before = (played(case.variant, case.fen, moves) for moves in (case.moves, case.moves[:-1]))
    if query in ("result", "gameover"):
        return _result(game, before, response)
    if query in ("legalmoves", "islegal", "bestmove"):
        return _legal(game, query, response)
    if query == "fen":
        return _position(game, before, response)
    if query == "p1turn":
        return NamedRule("5.6", "the position string and the number of moves since say which side is to move")
    return NamedRule("A.15", "the number of sequences of legal moves")


# The result


def _result(game: Game, before: Game, response: str) -> NamedRule:
    if game.outcome is None:
        return _goes_on(game, response)
    match game.outcome.reason:
        case "line" if not game.moves:
            return NamedRule("A.7", "the side to move holds a line, so it has won already")
        case "line":
            return NamedRule("A.6", "a line still stood after the other side's reply, so its owner has won")
        case "no-turn":
            clause = "A.7" if not game.moves else "A.6"
            if isinstance(game.rules, CallanishRules) and game.rules.supply is not None:
                return NamedRule(
                    "A.4", f"with supply={game.rules.supply} the side to move has no complete turn, and has lost"
                )
            return NamedRule(clause, "the side to move has no complete turn, and has lost")
        case "king-escaped":
            return NamedRule("A.13", "the king stopped on a square of escape")
        case "king-captured":
            return _king_taken(game, before)
        case "encircled":
            return NamedRule("A.19", "neither the king nor a defender can be reached from the edge: encirclement=wins")
        case "fort":
            return NamedRule("A.20", "the king stands on the edge in a fort that no attacker can break: fort=wins")
        case "repetition":
            return NamedRule("A.13", f"a position has occurred {_times(game)}: repetition={game.rules.repetition}")
        case _:
            assert isinstance(game.rules, TaflRules)
            text = f"the side to move has no legal move: no_move={game.rules.options.no_move}"
            return NamedRule("A.13", text)


def _king_taken(game: Game, before: Game) -> NamedRule:
    assert isinstance(game.rules, TaflRules)
    board, options = board_of(before.position.fen()), game.rules.options
    king = next(square for square, letter in board.items() if letter == "k")
    moved = SQUARE.findall(game.moves[-1])[1]
    board = board_of(game.position.fen())
    around = {name: board.get(name) for name in _around(king)}
    attackers = sum(letter == "a" for letter in around.values())
    if options.king_captured_by != "two" and attackers > 2:
        return NamedRule("A.12", f"the king on {king} was taken by {options.king_captured_by}: {attackers} attackers")
    beyond = _opposite(king, moved)
    if beyond in board and board[beyond] == "a":
        return NamedRule("A.12", f"the king on {king} was taken between two attackers")
    return NamedRule("A.10", f"the king on {king} was taken against a hostile {kind(board, beyond)}")


def _goes_on(game: Game, response: str) -> NamedRule:
    if isinstance(game.rules, CallanishRules):
        if response == "draw":
            return NamedRule("A.6", "there are no draws")
        text = "the mover's own line wins only after the reply, and there is a turn: the game goes on"
        return NamedRule("A.6", text)
    assert isinstance(game.rules, TaflRules)
    positions = [game.start, *play_line(Game(game.rules, game.start), game.moves)]
    boards = [position.fen().split()[0] for position in positions]
    if boards.count(boards[-1]) >= game.rules.occurrences:
        return NamedRule("A.13", "the same board with the other side to move is another position")
    if 1 < boards.count(boards[-1]) < game.rules.occurrences and response != "none":
        return NamedRule("A.13", f"a position ends the game when it occurs {_times(game)}, not before")
    board = board_of(game.position.fen())
    king = next(square for square, letter in board.items() if letter == "k")
    options = game.rules.options
    if response == "p2win" and options.fort == "wins" and game.position.side == "p1":
        return NamedRule("A.20", f"the king on {king} has not escaped and is in no fort that holds: the game goes on")
    if response == "p1win" and options.encirclement == "wins" and "a" not in (board.get(s) for s in _around(king)):
        return NamedRule("A.19", "the king or a defender can be reached from the edge: the game goes on")
    if response == "p2win" or (response == "true" and game.position.side == "p1"):
        return NamedRule("A.13", f"the king on {king} has not escaped, and p1 has a legal move: the game goes on")
    return NamedRule(
        "A.12", f"the king on {king} is not captured, and the side to move has a legal move: the game goes on"
    )


def _times(game: Game) -> str:
    return "for the second time" if game.rules.occurrences == 2 else "for the third time"


# Legal moves


def _legal(game: Game, query: str, response: str) -> NamedRule:
    right = set(legal_words(game))
    if query == "legalmoves":
        named = {canonical_word(game, word) or word for word in response.split()[1:]}
        wrong, lacking = sorted(named - right), sorted(right - named)
    else:
        wrong, lacking = [response], []
    if game.outcome is not None:
        return NamedRule("9.7", f"the game is over ({game.outcome.reason}): there is no legal move")
    if not wrong and not lacking:
        return NamedRule("9.7", "each legal move is named once")
    word = (wrong or lacking)[0]
    clause, text = kind_of(game.rules).move_rule(game, word)
    return NamedRule(clause, f"{word} is {'not legal' if wrong else 'legal'}: {text}")


# The position after a move


def _position(game: Game, before: Game, response: str) -> NamedRule:
    right, fields = game.position.fen().split(), response.split()
    if fields[:1] == right[:1]:
        return NamedRule("5.6", "the side to move and the turn number, which grows by 1 after each turn of p2")
    if isinstance(game.rules, CallanishRules) or not game.moves:
        clause = "A.4" if game.moves else "5.5"
        return NamedRule(clause, "where the stones lie after a turn, and which of them are covered")
    was, board = board_of(before.position.fen()), board_of(game.position.fen())
    other = _told_board(fields[0] if fields else "", board)
    moved = SQUARE.findall(game.moves[-1])
    differing = [square for square in sorted(was) if square not in moved and board[square] != other.get(square)]
    assert isinstance(game.rules, TaflRules)
    options, row = game.rules.options, kind_of(game.rules).deciding(before.position, game.position).taken
    beside = _around(moved[1])
    for square in differing:
        taken = board[square] == EMPTY and was[square] != EMPTY
        if square in row or (options.shieldwall != "no" and square not in beside):
            text = f"the piece on {square} was {'' if taken else 'not '}taken in a row on the edge beside {moved[1]}"
            return NamedRule("A.18", f"{text}: shieldwall={options.shieldwall}")
        if was[square] == "k" and not taken:
            return NamedRule("A.12", f"the king on {square} was not taken: {options.king_captured_by}")
        beyond = _opposite(square, moved[1])
        if taken:
            how = "another enemy" if board.get(beyond, EMPTY) != EMPTY else f"a hostile {kind(board, beyond)}"
            return NamedRule("A.10", f"the piece on {square} was taken between {moved[1]} and {how} on {beyond}")
        text = f"the piece on {square} was not taken: no enemy that counts stands opposite {moved[1]}"
        return NamedRule("A.10", text)
    return NamedRule("A.9", "the piece that moves goes from the one square to the other")


def _told_board(text: str, like: Board) -> Board:
    letters = "".join(re.sub("[0-9]+", lambda run: EMPTY * min(25, int(run[0])), text).split("/"))
    return dict(zip(like, letters, strict=False))


# Squares


def _around(square: str) -> list[str]:
    file, rank = ord(square[0]) - 97, int(square[1:]) - 1
    return [square_name(file + f, rank + r) for f, r in _WAYS if 0 <= file + f < 25 and 0 <= rank + r < 25]


def _opposite(square: str, near: str) -> str:
    """The square on the other side of `square` than `near`; empty where there is none."""
    file, rank = 2 * ord(square[0]) - ord(near[0]), 2 * int(square[1:]) - int(near[1:])
    return f"{chr(file)}{rank}" if file >= 97 and rank >= 1 else ""
