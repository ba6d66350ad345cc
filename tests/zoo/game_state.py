"""The state of the game: the variant, the game that `position` set up, answers to queries.

Owns the parsing of `position` and `query`. Independent of pipes, time and the order of the dialogue.
"""

from zlib import crc32

from arena.games import game_words
from arena.games.game import Game
from arena.games.perft import perft
from arena.games.rules import RulesError
from arena.games.variants import DEFAULT, find, resolve

QUERIES = "legalmoves islegal fen perft"
"""The queries beyond UGI's own p1turn, gameover and result."""

_DEEPEST_PERFT = 100


class BadRequest(Exception):
    """A request that cannot be fulfilled. The text is one sentence for an `error` line."""


class GameState:
    """One game at a time, set up anew by each `position`."""

    def __init__(self) -> None:
        self.variant = DEFAULT
        self.rule_options = ""
        self.seed = 0
        self.game: Game | None = None
        """None before the first position and after an invalid one."""

    def set_variant(self, name: str) -> None:
        """Change the variant from the next position on. Raises BadRequest and keeps the old one if it is unknown."""
        try:
            find(name)
        except RulesError as error:
            raise BadRequest(str(error)) from None
        self.variant = name

    def set_position(self, words: list[str]) -> bool:
        """Set `startpos|fen ... [moves ...]` up. True if it continues the game before.

        Raises BadRequest; then there is no game.
        """
        before, self.game = self.game, None
        at = words.index("moves") if "moves" in words else len(words)
        head, moves = words[:at], words[at + 1 :]
        if head[:1] == ["fen"] and len(head) > 1:
            fen = " ".join(head[1:])
        elif head == ["startpos"]:
            fen = None
        else:
            raise BadRequest("position needs startpos, or fen and a position string")
        try:
            game = Game(*resolve(self.variant, self.rule_options, fen))
            for move in moves:
                game.play(move)
        except RulesError as error:
            raise BadRequest(str(error)) from None
        self.game = game
        return (
            before is not None
            and before.rules == game.rules
            and before.start == game.start
            and before.moves == game.moves[: len(before.moves)]
        )

    def current(self) -> Game:
        """The game. Raises BadRequest if there is none."""
        if self.game is None:
            raise BadRequest("there is no position: send a position that this variant allows first")
        return self.game

    def line(self, plies: int, first: bool) -> tuple[str, ...]:
        """A line of at most `plies` moves up to the end of the game: the first legal moves, or random ones.

        Only the seed and the played moves determine the choice, so that a game can be repeated. The line is empty if
        the game is over. Raises BadRequest if there is no game.
        """
        game = self.current()
        ahead = _copy(game) if plies > 1 else game
        words: list[str] = []
        while ahead.outcome is None and len(words) < plies:
            moves = ahead.position.legal_moves()
            text = f"{self.seed} {ahead.rules.name} {ahead.position.fen()} {len(ahead.moves)}"
            words.append(moves[0 if first else crc32(text.encode()) % len(moves)].text)
            if plies > 1:
                ahead.play(words[-1])
        return tuple(words)

    def query(self, words: list[str]) -> str:
        """The text of the `response`. Raises BadRequest."""
        game = self.current()
        match words:
            case ["p1turn"]:
                return str(game.position.side == "p1").lower()
            case ["perft", depth]:
                if not (depth.isascii() and depth.isdigit() and len(depth) < 4 and int(depth) <= _DEEPEST_PERFT):
                    raise BadRequest(f"perft needs a depth from 0 to {_DEEPEST_PERFT}, not {depth}")
                return str(perft(game.position, int(depth)))
        said = game_words.answer(game, words)
        if said is None:
            raise BadRequest(f"unknown query {' '.join(words) or '(nothing)'}: p1turn, gameover, result, {QUERIES}")
        return said


def _copy(game: Game) -> Game:
    copy = Game(game.rules, game.start)
    for move in game.moves:
        copy.play(move)
    return copy
