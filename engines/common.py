"""What the engines here share: the line of play of a `position`, the options, and the answers to queries.

Knows the rules and the author's side of the protocol.
"""

from collections.abc import Hashable

from arena.games import game_words, variants
from arena.games.game import Game
from arena.games.perft import perft
from arena.games.rules import Position
from engines.scores import RepetitionRule
from protocol.engine import Engine, Option, Root, Search

VERSION = "0.1"
QUERIES = ("p1turn", "gameover", "result", "legalmoves", "islegal", "fen", "perft")
NO_MOVE = "0000"
"""The answer to a `go` in a finished position."""
SEED = Option("Seed", "spin", "1", min=0, max=2**31 - 1)
HASH = Option("Hash", "spin", "64", min=1, max=1024)

_DEEPEST_PERFT = 9


class Line:
    """The game of a root, and how often each of its positions has occurred."""

    __slots__ = ("before", "game", "occurrences", "root")

    def __init__(self, root: Root) -> None:
        """The line at the root's start, without its moves. Raises RulesError."""
        rules, start = variants.resolve(root.variant, root.rules, root.fen)
        self.root = root
        self.game = Game(rules, start)
        self.occurrences: dict[Hashable, int] = {start.key: 1}
        self.before: list[Position] = []
        """The positions before the present one, where repetition matters."""

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def repetition(self) -> RepetitionRule | None:
        rules = self.game.rules
        if rules.repetition == "forbidden-p2":
            return RepetitionRule("p2-loses", 2)  # p2 shuns what it may not play
        return None if rules.repetition is None else RepetitionRule(rules.repetition, rules.occurrences)

    def extend(self, root: Root) -> None:
        """Play the moves of `root` that this line does not have yet. Raises RulesError at an illegal move."""
        game, occurrences = self.game, self.occurrences
        judged = game.rules.repetition is not None
        for word in root.moves[len(self.root.moves) :]:
            position = game.position
            game.play(word)
            if judged:
                self.before.append(position)
                key = game.position.key
                occurrences[key] = occurrences.get(key, 0) + 1
        self.root = root


def continues(root: Root, earlier: Root) -> bool:
    """True if `root` is the earlier root, or that with more moves."""
    same_start = (root.variant, root.rules, root.fen) == (earlier.variant, earlier.rules, earlier.fen)
    return same_start and root.moves[: len(earlier.moves)] == earlier.moves


class RulesEngine(Engine):
    """An engine that knows the rules. It follows the game, checks positions and answers queries."""

    author = "the Callanish Arena project"
    version = VERSION
    queries = QUERIES
    options: tuple[Option, ...] = (SEED,)

    @property
    def variants(self) -> tuple[str, ...]:  # type: ignore[override]  # other engines name theirs in the class
        """All of this machine. Looked up when it is asked for: plug-ins take as long to find as games to load."""
        return variants.DEFAULT, *(name for name in variants.names() if name != variants.DEFAULT)

    def __init__(self) -> None:
        self.settings = {option.name: option.default for option in self.options}
        self.new_game()

    def set_option(self, name: str, value: str) -> None:
        self.settings[name] = value
        self.new_game()

    def new_game(self) -> None:
        self._line: Line | None = None

    def line(self, root: Root) -> Line:
        """The line that leads to `root`: the last one, extended, or a new one. Raises ValueError if the position is
        impossible or a move is illegal."""
        line = self._line
        # If a move fails, the line is half played and must not be kept.
        self._line = None
        if line is None or not continues(root, line.root):
            line = Line(root)
            line.root = Root(root.variant, root.rules, root.fen, ())
        line.extend(root)
        self._line = line
        return line

    def check(self, root: Root) -> None:
        self.line(root)

    def p1_turn(self, root: Root) -> bool:
        return self.line(root).position.side == "p1"

    def search(self, root: Root, search: Search) -> str:
        line = self.line(root)
        game = line.game
        if game.outcome is not None:
            return NO_MOVE
        word = self.choose(line, search)
        forbidden = game.rules.repetition == "forbidden-p2" and game.find(word) is None
        # A search of positions does not know the boards before them.
        return game.choices()[0].text if forbidden and game.position.find(word) is not None else word

    def choose(self, line: Line, search: Search) -> str:
        """The move to play in a game that goes on."""
        raise NotImplementedError

    def query(self, root: Root, words: tuple[str, ...]) -> str | None:
        game = self.line(root).game
        match words:
            case ["perft", depth] if depth.isascii() and depth.isdigit() and int(depth) <= _DEEPEST_PERFT:
                return str(perft(game.position, int(depth)))
        return game_words.answer(game, words)
