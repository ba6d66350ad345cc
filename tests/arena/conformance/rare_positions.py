"""Finds positions that are rare in play: one legal move, forced ends, threats, third occurrences, forts.

It searches the last positions of games, then random boards, until the rules confirm a position of each kind. What is
true of a position comes only from `arena.games`.
"""

import random
from collections.abc import Callable, Iterator
from itertools import islice

from arena.conformance.judge.golden import Json
from arena.games.game import Game
from arena.games.game_words import legal_words, result_word
from arena.games.line import play_line, played
from arena.games.rules import Move, Position, Rules, RulesError
from arena.games.variants import find, kind_of

_MOST_POSITIONS = 3_000
"""The search of a variant ends after so many positions."""
_MOST_MOVES = 400
"""Positions with more moves than this are skipped."""
_MOVE_BUDGET = 250_000
"""The search of a variant ends after it has looked at so many moves: a position of a large board has thousands."""
_LINES = 1_500
"""So many random lines are looked at for endings."""
_NODE_BUDGET = 20_000
"""The search for a forced end gives up after so many moves."""


def rare_positions(rules: Rules, games: list[Game], chance: random.Random) -> list[Json]:
    """For each side one position of every kind that was found."""
    rare = list(_endings(rules, chance))
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
    """The start of a random line; None where the rules refuse it."""
    try:
        return rules.parse(kind_of(rules).random_line(rules, chance.randrange(100), chance).fen)
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


def _endings(rules: Rules, chance: random.Random) -> Iterator[Json]:
    """For each way in which the rules end a game, and each special capture, a line before and after its last move."""
    kind, found = kind_of(rules), set[tuple[str, str]]()
    for number in range(_LINES):
        try:
            line = kind.random_line(rules, number, chance)
        except RulesError:
            continue
        game = played(line.variant, line.fen, line.moves)
        special = kind.deciding(game.before, game.position)
        about = special.what if game.outcome is None else game.outcome.reason
        if line.moves and about and (about, game.position.side) not in found:
            found.add((about, game.position.side))
            before = played(line.variant, line.fen, line.moves[:-1])
            yield _entry(f"{about}-next", before, line.fen, {"move": line.moves[-1]})
            yield _entry(about, game, line.fen, {})


def changed_rule_options(rules: Rules, games: list[Game], chance: random.Random) -> list[Json]:
    """Positions in which a changed rule option changes the legal moves."""
    rows: list[Json] = []
    for option in ("king_steps=1", "king_steps=2", "men_steps=2", "men_steps=any", "supply=3"):
        try:
            other = find(rules.base, f"{rules.changed_options} {option}")
        except RulesError:
            continue
        if other.changed_options == rules.changed_options:
            continue
        for position, _ in zip(positions(rules, games, chance), range(400), strict=False):
            legal = {move.text for move in position.moves()}
            changed = [move.text for move in other.parse(position.fen()).legal_moves()]
            fewer = set(changed) < legal and len(changed) * 2 <= len(legal) and (changed or option == "supply=3")
            # A rule that allows more moves is noticed only where all legal moves are asked for.
            if fewer or (not rows and legal < set(changed) and len(legal) * 2 <= len(changed)):
                rows.append({"rules": other.changed_options, "fen": position.fen(), "legal": " ".join(changed)})
                break
    return rows
