"""Finds positions that are rare in play: one legal move, forced ends, threats, third occurrences, forts.

It searches the last positions of games, then random boards, until the rules confirm a position of each kind. What is
true of a position comes only from `arena.games`.
"""

import contextlib
import random
from collections.abc import Callable, Iterator
from itertools import islice

from arena.conformance.judge.fuzz_formations import formations
from arena.games.game import Game
from arena.games.game_words import legal_words, result_word
from arena.games.line import play_line, played
from arena.games.rules import Move, Position, Rules, RulesError
from arena.games.squares import spread_rows, write_rows
from arena.games.tafl.rules import TaflRules
from arena.games.variants import kind_of, resolve

_MOST_POSITIONS = 3_000
"""The search of a variant ends after so many positions."""
_MOST_MOVES = 400
"""Positions with more moves than this are skipped."""
_MOVE_BUDGET = 250_000
"""The search of a variant ends after it has looked at so many moves: a position of a large board has thousands."""
_NODE_BUDGET = 20_000
"""The search for a forced end gives up after so many moves."""

Json = dict[str, object]


def start_game(rules: Rules) -> Game:
    """A game from the variant's start."""
    return Game(*resolve(rules.name))


def rare_positions(rules: Rules, games: list[Game], chance: random.Random) -> list[Json]:
    """For each side one position of every kind that was found."""
    rare = [*_repetitions(rules, chance), *_formations(rules, chance)]
    searches: dict[tuple[str, str], Callable[[Position], Json | None]] = {}
    for side in ("p1", "p2"):
        searches[("one-move", side)] = _only_move
        searches[("win-in-1", side)] = _win_in_1
        searches[("check", side)] = _check
        searches[("no-move-next", side)] = _no_move_next
        searches[("mate", side)] = lambda position: _mate(position, 1)
        searches[("mate-far", side)] = lambda position: _mate(position, 2)
        searches[("lost", side)] = lambda position: _mate(position, -1)
    looked_at = 0
    for position in islice(positions(rules, games, chance), _MOST_POSITIONS):
        moves = len(position.moves())
        if moves > _MOST_MOVES:
            continue
        looked_at += moves * len(searches)
        for (about, side), examine in list(searches.items()):
            if position.side == side and (facts := examine(position)) is not None:
                del searches[(about, side)]
                rare.append(_entry(about, Game(rules, position), position.fen(), facts))
        if looked_at >= _MOVE_BUDGET or not searches:
            break
    rare.sort(key=lambda one: (str(one["about"]), str(one["side"])))
    return rare


def positions(rules: Rules, games: list[Game], chance: random.Random) -> Iterator[Position]:
    """Endless positions where the game goes on: the last ones of each game, from the end, and then random boards."""
    for game in games[1:]:
        line = [game.start, *play_line(Game(rules, game.start), game.moves)]
        yield from (position for position in reversed(line[-12:]) if position.outcome is None)
    while True:
        position = _random_position(rules, chance)
        if position is not None and position.outcome is None:
            yield position


def _random_position(rules: Rules, chance: random.Random) -> Position | None:
    """A board with pieces at random; None where the rules refuse it."""
    start = start_game(rules).position
    rows = [list(row) for row in spread_rows(start.fen().split()[0])]
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
    board = write_rows(["".join(row) for row in rows])
    try:
        return rules.parse(f"{board} {chance.choice(('p1', 'p2'))} {chance.randint(5, 40)}")
    except RulesError:
        return None


def _entry(about: str, game: Game, fen: str | None, facts: Json) -> Json:
    return {
        "about": about,
        "fen": fen,
        "moves": " ".join(game.moves),
        "side": game.position.side,
        "legal": " ".join(legal_words(game)),
        "result": result_word(game),
        **facts,
    }


def _only_move(position: Position) -> Json | None:
    moves = position.moves()
    return {} if len(moves) == 1 and position.play(moves[0]).outcome is None else None


def _wins(position: Position, move: Move) -> bool:
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winner == position.side


def _win_in_1(position: Position) -> Json | None:
    winning = [move.text for move in position.legal_moves() if _wins(position, move)]
    return {"move": winning[0]} if winning and len(winning) < len(position.moves()) else None


def _check(position: Position) -> Json | None:
    """After most moves the opponent wins at once or with the next move, but not after all."""
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
        if outcome is not None and outcome.reason in ("no-move", "no-turn"):
            return {"move": move.text}
    return None


def _mate(position: Position, far: int) -> Json | None:
    """A forced end: for `far` 1 a win in one ply, for 2 a win in two or three plies, for -1 a loss in one or two."""
    budget = [_NODE_BUDGET]
    try:
        plies = _forced(position, 3 if far == 2 else 2 if far == -1 else 1, budget)
    except _OverBudget:
        return None
    right = plies is not None and (plies == 1 if far == 1 else plies > 1 if far == 2 else plies < 0)
    return {"plies": plies} if right else None


class _OverBudget(Exception):
    """The search for a forced end has looked at too many moves."""


def _forced(position: Position, depth: int, budget: list[int]) -> int | None:
    """The plies, at most `depth`, to a win with best play, negative for a loss; None where neither is forced."""
    if depth == 0:
        return None
    wins: list[int] = []
    losses: list[int] = []
    moves = position.moves()
    budget[0] -= len(moves)
    if budget[0] < 0:
        raise _OverBudget
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


def _repetitions(rules: Rules, chance: random.Random) -> Iterator[Json]:
    """For each side a game one move before the third occurrence of a position, and the same game with that move."""
    if rules.repetition is None:
        return
    for opening in (0, 1):
        for attempt in range(600):
            game = start_game(rules)
            # Where nobody can go back to where he started, the first moves are others.
            for _ in range(opening + 2 * (attempt // 200)):
                game.play(chance.choice(game.position.legal_moves()).text)
            if _shuffle(game, chance):
                before = played(rules.name, None, game.moves[:-1])
                yield _entry("repetition-next", before, None, {"move": game.moves[-1]})
                yield _entry("repetition", game, None, {})
                break


def _formations(rules: Rules, chance: random.Random) -> Iterator[Json]:
    """A position before and after a move that ends the game by encirclement or fort, or captures by shieldwall."""
    for theme in formations(rules.options).values() if isinstance(rules, TaflRules) else ():
        for _ in range(400):
            with contextlib.suppress(RulesError):
                fen, move = theme(rules, chance)
                start = rules.parse(fen)
                game = Game(rules, start)
                if move and start.outcome is None:
                    game.play(move)
                    if about := _formed(game, start):
                        yield _entry(f"{about}-next", Game(rules, start), fen, {"move": move})
                        yield _entry(about, game, fen, {})
                        break


def _formed(game: Game, before: Position) -> str:
    """The word of appendix D for what the last move did; empty where it did nothing of the kind."""
    if game.outcome is not None:
        return game.outcome.reason if game.outcome.reason in ("encircled", "fort") else ""
    return "shieldwall" if len(kind_of(game.rules).deciding(before, game.position).taken) > 1 else ""


def _shuffle(game: Game, chance: random.Random) -> bool:
    """Move a piece of each side forth and back twice. True where a position occurs for the third time."""
    first = chance.choice(game.position.legal_moves()).text
    game.play(first)
    second = chance.choice(game.position.legal_moves()).text
    loop = [second, first[2:] + first[:2], second[2:] + second[:2], first] if len(first) == len(second) == 4 else []
    try:
        for word in [*loop, *loop]:
            game.play(word)
            if game.outcome is not None:
                return game.outcome.reason == "repetition"
    except RulesError:
        return False
    return False
