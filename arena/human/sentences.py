"""A game with people in words: how it stands, what an engine played, how the game ended, what can be typed."""

from collections.abc import Iterator, Sequence

from arena.games.illegal import broken_rule
from arena.games.squares import SQUARE
from arena.games.variants import kind_of
from arena.human.game import End, EngineMove, HumanGame
from arena.play.adjudication import SIDES
from results.record import Termination
from results.safe_text import harmless

_COMMANDS = (
    ("a move", "such as {example}; the start of one lists the moves that begin so"),
    ("moves", "all legal moves"),
    ("hint", "the move that an engine would play, with its score and line"),
    ("undo", ""),
    ("board", "draw the board again"),
    ("rules", "the rules in five lines"),
    ("save FILE", "keep the game in a file from now on, as PGN if it ends in .pgn"),
    ("engine NAME", "let another engine play on for the present one"),
    ("draw", "offer a draw, if two people play and the game has draws"),
    ("resign", "give the game up"),
    ("quit", "leave"),
)
"""What can be typed, and what it does. What `undo` does depends on who plays."""
_UNDO = {True: "take back your last move and the answer to it", False: "take back the last move"}
"""By whether one person plays alone."""
_LONGEST_LINE = 8
"""A hint shows at most so many moves of the engine's line."""


class Sentences:
    """The sentences about one game."""

    def __init__(self, game: HumanGame, names: Sequence[str]) -> None:
        """`names` are those of p1 and p2 now."""
        self._game = game
        self._names = names

    def side(self, side: int) -> str:
        """The name of a side, 0 for p1."""
        return kind_of(self._game.game.rules).side_name(SIDES[side])

    def introduction(self) -> str:
        """`You play as White against greedy. `, or nothing where people play each other."""
        if not self._game.alone:
            return ""
        (person,) = self._game.people
        engine = harmless(self._names[1 - person])
        return f"You play as {self.side(person)} against {engine}. "

    def rules(self) -> tuple[str, ...]:
        """The rules in five lines, below the name of the game."""
        rules = self._game.game.rules
        kind = kind_of(rules)
        return (kind.rules_text(rules, "en").title, *kind.short_rules(rules, self._game.game.start))

    def help(self) -> Iterator[tuple[str, str]]:
        """What can be typed, and what it does; the first parts are equally wide."""
        width = 2 + max(len(word) for word, _ in _COMMANDS) + 2
        for word, what in _COMMANDS:
            text = (what or _UNDO[self._game.alone]).format(example=self._game.legal_words()[0])
            yield f"  {word}".ljust(width), text

    def prompt(self, left_ns: int | None) -> str:
        """The turn, who is to move, and the time that is left."""
        turn, who = self._game.game.position.turn, self.side(self._game.turn)
        if left_ns is not None:
            who += f", {_clock(left_ns)} left"
        return f"{turn}. you ({who}): " if self._game.alone else f"{turn}. {who}: "

    def engine_move(self, side: int, move: EngineMove) -> str:
        """What the engine of a side has played, its time, and what it reported."""
        left_ns = self._game.left_ns(side)
        figures = [f"{move.think_ns / 1e9:.1f} s", *_figures(move)]
        figures += [] if left_ns is None else [f"{_clock(left_ns)} left"]
        return f"{self._names[side]} plays {move.word} ({', '.join(figures)})"

    def illegal(self, typed: str, word: str) -> str:
        """Why what was typed, `word` without blanks and signs, is no legal move."""
        if not SQUARE.match(word):
            return f"{typed} is no move and no command; `help` lists what you can type"
        return f"{typed} is no legal move: {broken_rule(self._game.game, word).text}"

    def taken_back(self, plies: int) -> str:
        """How much `undo` has taken back."""
        if plies == 0:
            return "there is no move of yours to take back"
        return "1 ply taken back" if plies == 1 else f"{plies} plies taken back"

    def hint(self, engine: str, move: EngineMove) -> str:
        """What an engine would play, with its score and its line."""
        if move.word == "resign":
            return f"{engine} would resign"
        figures = _figures(move)
        if len(line := move.summary.pv.split()) > 1:
            rest = " ..." * (len(line) > _LONGEST_LINE)
            figures.append(f"line {' '.join(line[:_LONGEST_LINE])}{rest}")
        return f"{engine} would play {move.word}" + (f" ({', '.join(figures)})" if figures else "")

    def check(self) -> str:
        """A warning to the person to move of what must be answered now."""
        if self._game.outcome is not None or self._game.turn not in self._game.people:
            return ""
        return kind_of(self._game.game.rules).threats(self._game.game.position)

    def ending(self, end: End) -> str:
        """Who won, and why."""
        agreed = "both agreed" if end.termination == Termination.DRAW_AGREED else str(end.termination)
        reason = kind_of(self._game.game.rules).endings.get(end.termination, agreed)
        if end.winner == "draw":
            return f"a draw: {reason}"
        loser = 1 if end.winner == "p1" else 0
        is_you = self._game.alone and loser in self._game.people
        you_win = self._game.alone and not is_you
        win = "you win" if you_win else f"{self._called(1 - loser)} wins"
        lost = self._called(loser)
        match end.termination:
            case Termination.RESIGNATION:
                return f"{win}: you resigned" if is_you else f"{lost} resigns: {win}"
            case Termination.TIME if loser in self._game.people:
                return f"your time is up: {win}" if is_you else f"the time of {lost} is up: {win}"
            case _:
                return f"{win}: {reason}"

    def _called(self, side: int) -> str:
        """How a player is called: an engine by its name, the only person `you`, one of two people by his side."""
        if side not in self._game.people:
            return self._names[side]
        return "you" if self._game.alone else f"{SIDES[side]} ({self.side(side)})"


def _figures(move: EngineMove) -> list[str]:
    """The depth and the score of a move."""
    depth, score = move.summary.depth, move.summary.score
    return [f"{name} {value}" for name, value in (("depth", depth), ("score", score)) if value is not None]


def _clock(ns: int) -> str:
    """`4:05`, and tenths in the last twenty seconds."""
    seconds = max(0, ns) / 1e9
    return f"{seconds:.1f} s" if seconds < 20 else f"{int(seconds) // 60}:{int(seconds) % 60:02}"
