"""Looks for positions that are rare in play: one legal move, forced ends, threats, third occurrences.

Owns how they are looked for: in the ends of games and on boards strewn at random, until the rules say that one has been
found. What holds in a position is asked of `arena.games` alone.
"""

import random
from collections.abc import Callable, Iterator
from itertools import islice

from arena.games.game import Game
from arena.games.rules import Move, Position, Reason, Rules, RulesError
from arena.games.variants import resolve

_TRIES = 3_000
_WIDEST = 400
"""Positions with more moves than this are not looked at for something rare."""
_LOOKS = 250_000
"""Moves looked at in the search for rare positions of one variant: large boards have thousands in each."""
_NODES = 20_000

Json = dict[str, object]


def start_game(rules: Rules) -> Game:
    """A game from the variant's start."""
    return Game(*resolve(rules.name))


def legal_words(game: Game) -> list[str]:
    """The legal moves; none where the game is over."""
    return [] if game.outcome is not None else [move.text for move in game.position.legal_moves()]


def result_word(game: Game) -> str:
    """The result as `query result` has it."""
    if game.outcome is None:
        return "none"
    return "draw" if game.outcome.winner == "draw" else f"{game.outcome.winner}win"


def specials(rules: Rules, games: list[Game], chance: random.Random) -> list[Json]:
    """One position of every kind that could be found, for each side."""
    found = [*_repetition(rules, chance)]
    wanted: dict[tuple[str, str], Callable[[Position], Json | None]] = {}
    for side in ("p1", "p2"):
        wanted[("one-move", side)] = _one_move
        wanted[("win-in-1", side)] = _win_in_1
        wanted[("check", side)] = _check
        wanted[("no-move-next", side)] = _no_move_next
        wanted[("mate", side)] = lambda position: _mate(position, 1)
        wanted[("mate-far", side)] = lambda position: _mate(position, 2)
        wanted[("lost", side)] = lambda position: _mate(position, -1)
    looks = 0
    for position in islice(positions(rules, games, chance), _TRIES):
        moves = len(position.moves())
        if moves > _WIDEST:
            continue
        looks += moves * len(wanted)
        for (about, side), look in list(wanted.items()):
            if position.side == side and (said := look(position)) is not None:
                del wanted[(about, side)]
                found.append(_special(rules, about, position, said))
        if looks >= _LOOKS or not wanted:
            break
    found.sort(key=lambda one: (str(one["about"]), str(one["side"])))
    return found


def positions(rules: Rules, games: list[Game], chance: random.Random) -> Iterator[Position]:
    """Positions where the game goes on: those of games, from the end backwards, and then boards strewn at random."""
    for game in games[1:]:
        again = Game(rules, game.start)
        seen = [again.position]
        for word in game.moves:
            again.play(word)
            seen.append(again.position)
        yield from (position for position in reversed(seen[-12:]) if position.outcome is None)
    while True:
        position = _strewn(rules, chance)
        if position is not None and position.outcome is None:
            yield position


def _strewn(rules: Rules, chance: random.Random) -> Position | None:
    start = start_game(rules).position
    rows = [unpacked(row) for row in start.fen().split()[0].split("/")]
    tafl = rules.repetition is not None
    letters = "ad" if tafl else "wbWB"
    density = chance.choice((0.01, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7))
    weights = [chance.choice((0.05, 0.3, 1.0, 1.0)) for _ in letters]
    squares = [(y, x) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != "*"]
    for y, x in squares:
        rows[y][x] = chance.choices(letters, weights)[0] if chance.random() < density else "."
    if tafl:
        y, x = chance.choice(squares)
        rows[y][x] = "k"
    board = "/".join(packed(row) for row in rows)
    try:
        return rules.parse(f"{board} {chance.choice(('p1', 'p2'))} {chance.randint(5, 40)}")
    except RulesError:
        return None


def unpacked(row: str) -> list[str]:
    """The squares of a row, `.` for an empty one."""
    squares: list[str] = []
    run = ""
    for letter in row + "/":
        if letter.isdigit():
            run += letter
            continue
        squares += "." * int(run or 0)
        run = ""
        squares += letter
    return squares[:-1]


def packed(row: list[str]) -> str:
    """The row of a position string."""
    packed, run = "", 0
    for letter in [*row, ""]:
        if letter == ".":
            run += 1
            continue
        packed += (str(run) if run else "") + letter
        run = 0
    return packed


def _special(rules: Rules, about: str, position: Position, said: Json) -> Json:
    return _entry(about, Game(rules, position), position.fen(), said)


def _entry(about: str, game: Game, fen: str | None, said: Json) -> Json:
    return {
        "about": about,
        "fen": fen,
        "moves": " ".join(game.moves),
        "side": game.position.side,
        "legal": " ".join(legal_words(game)),
        "result": result_word(game),
        **said,
    }


def _one_move(position: Position) -> Json | None:
    moves = position.moves()
    return {} if len(moves) == 1 and position.play(moves[0]).outcome is None else None


def _wins(position: Position, move: Move) -> bool:
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winner == position.side


def _win_in_1(position: Position) -> Json | None:
    winning = [move.text for move in position.legal_moves() if _wins(position, move)]
    return {"move": winning[0]} if winning and len(winning) < len(position.moves()) else None


def _check(position: Position) -> Json | None:
    """The opponent has won after some moves, at once or with the next one, and not after others."""
    moves = position.moves()
    if not 2 <= len(moves) <= 120:
        return None
    safe = [move for move in moves if not _loses(position.play(move), position.side)]
    return {} if safe and len(safe) * 4 <= len(moves) and not any(_wins(position, move) for move in safe) else None


def _loses(position: Position, side: str) -> bool:
    if position.outcome is not None:
        return position.outcome.winner not in (side, "draw")
    return any(_wins(position, move) for move in position.moves())


def _no_move_next(position: Position) -> Json | None:
    """A move after which the opponent has none."""
    for move in position.legal_moves():
        outcome = position.play(move).outcome
        if outcome is not None and outcome.reason in (Reason.NO_MOVE, Reason.NO_TURN):
            return {"move": move.text}
    return None


def _mate(position: Position, far: int) -> Json | None:
    """A forced end: for far 1 a win in one ply, for 2 a win in two or three plies, for -1 a loss in one or two."""
    budget = [_NODES]
    try:
        plies = _forced(position, 3 if far == 2 else 2 if far == -1 else 1, budget)
    except _TooMuch:
        return None
    right = plies is not None and (plies == 1 if far == 1 else plies > 1 if far == 2 else plies < 0)
    return {"plies": plies} if right else None


class _TooMuch(Exception):
    """There are more positions ahead than it is worth to look at."""


def _forced(position: Position, depth: int, budget: list[int]) -> int | None:
    """In how many plies, at most `depth`, the game is won (lost: negative) with best play; None where it is open."""
    if depth == 0:
        return None
    wins: list[int] = []
    losses: list[int] = []
    moves = position.moves()
    budget[0] -= len(moves)
    if budget[0] < 0:
        raise _TooMuch
    for move in moves:
        after = position.play(move)
        if after.outcome is not None:
            if after.outcome.winner == position.side:
                return 1
            if after.outcome.winner != "draw":
                losses.append(1)
            continue
        theirs = _forced(after, depth - 1, budget)
        if theirs is not None:
            (wins if theirs < 0 else losses).append(abs(theirs) + 1)
    if wins:
        return min(wins)
    return -max(losses) if losses and len(losses) == len(moves) else None


def _repetition(rules: Rules, chance: random.Random) -> Iterator[Json]:
    """Games one move before the third occurrence of a position, for either side, and at it."""
    if rules.repetition is None:
        return
    for opening in (0, 1):
        for _ in range(200):
            game = start_game(rules)
            for _ in range(opening):
                game.play(chance.choice(game.position.legal_moves()).text)
            if _shuffle(game, chance):
                last = game.moves[-1]
                before = Game(rules, game.start)
                for word in game.moves[:-1]:
                    before.play(word)
                yield _entry("repetition-next", before, None, {"move": last})
                yield _entry("repetition", game, None, {})
                break


def _shuffle(game: Game, chance: random.Random) -> bool:
    """Go there and back twice with a piece of each side, so that a position occurs for the third time."""
    first = chance.choice(game.position.legal_moves()).text
    game.play(first)
    second = chance.choice(game.position.legal_moves()).text
    loop = [second, first[2:] + first[:2], second[2:] + second[:2], first] if len(first) == len(second) == 4 else []
    try:
        for word in [*loop, *loop]:
            game.play(word)
            if game.outcome is not None:
                return game.outcome.reason is Reason.REPETITION
    except RulesError:
        return False
    return False
