"""Makes games and impossible positions of a variant, for one without golden positions in the folder of its game.

What is true of a game or a position comes only from `arena.games`.
"""

import contextlib
import random
import re
import zlib
from collections import Counter
from collections.abc import Hashable

from arena.games.game import Game
from arena.games.game_words import legal_words, result_word
from arena.games.rules import Position, Rules, RulesError
from arena.games.squares import EMPTY, HOLE, spread_rows, write_rows
from arena.games.variants import find, kind_of, resolve

GAMES = 6
"""A variant has so many games, and one more for each further reason for which a game ends."""
LONGEST = 400
"""The first game of a variant has so many plies, if the rules let a game last so long."""
_PLIES = 150
"""The other games have at most so many plies."""

Json = dict[str, object]


def book_of_games(variant: str, tries: int = 12 * GAMES) -> Json:
    """Games of a variant with what its rules say about them, and positions that they do not have."""
    rules = find(variant)
    games = random_games(rules, random.Random(f"golden {rules.name}"), tries)
    return {
        "variant": variant,
        "games": [_trace(game) for game in games],
        "positions": [],
        "impossible": _impossible_positions(rules),
        "knobs": [],
    }


def start_game(rules: Rules) -> Game:
    """A game from the variant's start."""
    return Game(*resolve(rules.name))


# Games


def random_games(rules: Rules, chance: random.Random, tries: int = 12 * GAMES) -> list[Game]:
    """Games at random: a long one, and some more; of so many tries, those that end in a further way."""
    games = [_long_game(rules, chance)]
    reasons: set[str] = set()
    for attempt in range(tries):
        drawn = rules.base == kind_of(rules).any_board and rules.own is None and attempt > 0
        game = Game(rules, _random_start(rules, attempt, chance)) if drawn else start_game(rules)
        while game.outcome is None and len(game.moves) < _PLIES:
            game.play(chance.choice(game.choices()).text)
        new = game.outcome is not None and game.outcome.reason not in reasons
        if new or (attempt < GAMES - 1 and len(games) < GAMES):
            games.append(game)
        if game.outcome is not None:
            reasons.add(game.outcome.reason)
    return games


def _random_start(rules: Rules, number: int, chance: random.Random) -> Position:
    """A position on a board of its own, from which the game goes on."""
    while True:
        with contextlib.suppress(RulesError):
            start = rules.parse(kind_of(rules).random_line(rules, number, chance).fen)
            if start.outcome is None:
                return start


def _long_game(rules: Rules, chance: random.Random) -> Game:
    """A game of LONGEST plies, or the longest of a few games with random moves that do not end it."""
    best = start_game(rules)
    for _ in range(4):
        game = start_game(rules)
        visits = Counter([game.position.key])
        while len(game.moves) < LONGEST and (word := _quiet_move(game.position, visits, chance)):
            game.play(word)
            visits[game.position.key] += 1
        if len(game.moves) > len(best.moves):
            best = game
        if len(best.moves) >= LONGEST:
            break
    return best


def _quiet_move(position: Position, visits: Counter[Hashable], chance: random.Random) -> str | None:
    """A move that neither ends the game nor repeats a position; None where some tries find none."""
    moves = list(position.moves())
    for move in chance.sample(moves, min(len(moves), 25)):
        after = position.play(move)
        if after.outcome is None and not visits[after.key]:
            return move.text
    return None


def _trace(game: Game) -> Json:
    replayed = Game(game.rules, game.start)
    legal = [legal_words(replayed)]
    for word in game.moves:
        replayed.play(word)
        legal.append(legal_words(replayed))
    return {
        "fen": None if game.start == start_game(game.rules).start else game.start.fen(),
        "moves": " ".join(game.moves),
        "legal": [len(words) for words in legal],
        "legal_crc32": [zlib.crc32(" ".join(words).encode()) for words in legal],
        "result": result_word(game),
        "reason": "unfinished" if game.outcome is None else game.outcome.reason,
    }


# Impossible positions


def _impossible_positions(rules: Rules) -> list[Json]:
    """Position strings that the variant refuses, and some that it accepts although no game reaches them."""
    board, *_ = start_game(rules).position.fen().split()
    rows, (top, *others) = board.split("/"), spread_rows(board)
    empty = write_rows([re.sub(r"[^*]", EMPTY, row) for row in (top, *others)])
    candidates = {
        "a row too few": f"{'/'.join(rows[1:])} p1 1",
        "a row too many": f"{board}/{rows[0]} p1 1",
        "a short row": f"{write_rows([top[1:], *others])} p1 1",
        "a long row": f"{write_rows([top + EMPTY, *others])} p1 1",
        "a run beyond every board": f"99/{'/'.join(rows[1:])} p1 1",
        "two runs side by side": f"1{write_rows([top[1:], *others])} p1 1"
        if top.startswith(EMPTY * 2)
        else f"11{'/'.join(rows)} p1 1",
        "an unknown letter": f"{write_rows(['x' + top[1:], *others])} p1 1",
        "no side": board,
        "a side that there is not": f"{board} p3 1",
        "a turn that is no number": f"{board} p1 x",
        "an empty board": f"{empty} p1 1",
        "only holes": f"{'/'.join(HOLE * len(row) for row in (top, *others))} p1 1",
        "no king": f"{board.replace('k', 'd')} p1 1",
        "two kings": f"{board.replace('d', 'k', 1)} p1 1",
        "no attackers": f"{board.replace('a', 'd')} p1 1",
        "no defenders": f"{board.replace('d', 'a')} p2 1",
    }
    return [
        {"about": about, "fen": fen}
        for about, fen in candidates.items()
        if fen.split()[0] != board or "side" in about or "turn" in about
    ]
