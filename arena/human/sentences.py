"""A game with people in words: how it stands, what an engine played, how the game ended, what can be typed.

Every sentence has its English text here or where it is said, and `japanese.toml` has the other one.
"""

from collections.abc import Iterator

from arena.games.decision import lines_to_break
from arena.games.move_rules import SQUARE, broken_rule
from arena.human.game import End, EngineMove
from arena.human.session import BrokenEngine, Hint, HumanGameSession
from arena.play.adjudication import SIDES
from arena.rulebook.board_drawing import Lang
from arena.rulebook.page import page, side_name
from arena.rulebook.short_rules import short_rules
from arena.rulebook.translation import japanese
from protocol.faults import EngineFault
from results.record import Termination
from results.safe_text import harmless
from results.tables.text_width import columns

_COMMANDS = (
    ("a move", "such as {example}; the start of one lists the moves that begin so"),
    ("moves", "all legal moves"),
    ("hint", "the move that an engine would play, with its score and line"),
    ("undo", ""),
    ("board", "draw the board again"),
    ("rules", "the rules in five lines"),
    ("save FILE", "keep the game in a file from now on, as PGN if it ends in .pgn"),
    ("engine NAME", "let another engine play on for the present one"),
    ("draw", "offer a draw, where two people play and the game has draws"),
    ("resign", "give the game up"),
    ("quit", "leave"),
)
"""What can be typed, and what it does. What `undo` does depends on who plays."""
_UNDO = {True: "take back your last move and the answer to it", False: "take back the last move"}
"""By whether one person plays alone."""
_REASONS = {
    Termination.LINE: "a line stood after the reply",
    Termination.NO_TURN: "the other side has no complete turn",
    Termination.KING_ESCAPED: "the king escaped",
    Termination.KING_CAPTURED: "the king is captured",
    Termination.ENCIRCLED: "the king and all defenders are surrounded",
    Termination.FORT: "the king has a fort",
    Termination.NO_MOVE: "the other side has no legal move",
    Termination.REPETITION: "the position was repeated",
    Termination.DRAW_AGREED: "both agreed",
}
"""The end of a game in words. Another end is named by its termination."""
_LONGEST_LINE = 8
"""A hint shows at most so many moves of the engine's line."""


def say(lang: Lang, text: str, **values: object) -> str:
    """A sentence in a language, by its English text. Raises KeyError for one without a translation."""
    return (text if lang == "en" else japanese("arena.human")[text]).format(**values)


class Sentences:
    """The sentences about one session."""

    def __init__(self, session: HumanGameSession, lang: Lang) -> None:
        self._session = session
        self._game = session.game
        self.lang = lang

    def say(self, text: str, **values: object) -> str:
        """A sentence in this language, by its English text."""
        return say(self.lang, text, **values)

    def side(self, side: int) -> str:
        """The name of a side, 0 for p1."""
        return side_name(self._game.game.rules, SIDES[side], self.lang)

    def introduction(self) -> str:
        """`You play as White against greedy. `, or nothing where people play each other."""
        if not self._session.alone:
            return ""
        (person,) = self._game.people
        engine = harmless(self._session.names[1 - person])
        return self.say("You play as {side} against {engine}. ", side=self.side(person), engine=engine)

    def rules(self) -> tuple[str, ...]:
        """The rules in five lines, below the name of the game."""
        rules = self._game.game.rules
        return (page(rules, self.lang).title, *short_rules(rules, self.lang, self._game.game.start))

    def help(self) -> Iterator[tuple[str, str]]:
        """What can be typed, and what it does; the first parts are equally wide."""
        width = 2 + max(len(word) for word, _ in _COMMANDS) + 2
        for number, (word, what) in enumerate(_COMMANDS):
            shown = f"  {word if number else self.say(word)}"
            text = self.say(what or _UNDO[self._session.alone], example=self._game.legal_words()[0])
            yield shown + " " * (width - columns(shown)), text

    def prompt(self) -> str:
        """The turn, who is to move, and the time that is left."""
        turn, who = self._game.game.position.turn, self.side(self._game.turn)
        left_ns = self._session.left_ns(self._game.turn)
        if left_ns is None:
            text = "{turn}. you ({who}): " if self._session.alone else "{turn}. {who}: "
            return self.say(text, turn=turn, who=who)
        text = "{turn}. you ({who}, {clock} left): " if self._session.alone else "{turn}. {who}, {clock} left: "
        return self.say(text, turn=turn, who=who, clock=self._clock(left_ns))

    def engine_move(self, side: int, move: EngineMove) -> str:
        """What the engine of a side has played, its time, and what it reported."""
        left_ns = self._game.left_ns(side)
        figures = [self.say("{seconds} s", seconds=f"{move.think_ns / 1e9:.1f}"), *self._figures(move)]
        figures += [] if left_ns is None else [self.say("{clock} left", clock=self._clock(left_ns))]
        return self.say(
            "{engine} plays {move} ({figures})",
            engine=self._session.names[side],
            move=move.word,
            figures=self.say(", ").join(figures),
        )

    def illegal(self, typed: str, word: str) -> str:
        """Why what was typed, `word` without blanks and signs, is no legal move."""
        if not SQUARE.match(word):
            return self.say("{move} is no move and no command; `help` lists what you can type", move=typed)
        rule = broken_rule(self._game.game, word)
        return self.say("{move} is no legal move: {reason}", move=typed, reason=self.say(rule.text, **rule.values))

    def taken_back(self, plies: int) -> str:
        """How much `undo` has taken back."""
        if plies == 0:
            return self.say("there is no move of yours to take back")
        return self.say("1 ply taken back") if plies == 1 else self.say("{plies} plies taken back", plies=plies)

    def hint(self, hint: Hint | None) -> str:
        """What the engine would play, with its score and its line."""
        if hint is None:
            return self.say("no engine gives hints here; begin with --hint-engine alphabeta, and it does")
        engine, move = hint
        if move.word == "resign":
            return self.say("{engine} would resign", engine=engine.name)
        figures = self._figures(move)
        if len(line := move.summary.pv.split()) > 1:
            rest = " ..." * (len(line) > _LONGEST_LINE)
            figures.append(self.say("line {moves}", moves=" ".join(line[:_LONGEST_LINE]) + rest))
        if not figures:
            return self.say("{engine} would play {move}", engine=engine.name, move=move.word)
        text = "{engine} would play {move} ({figures})"
        return self.say(text, engine=engine.name, move=move.word, figures=self.say(", ").join(figures))

    def fault(self, broken: BrokenEngine, text: str) -> str:
        """What an engine did, in a sentence with its name, its fault, the detail and the end of its process."""
        engine, fault, last_words, _ = broken
        word = self.say(fault.fault.value)
        return self.say(text, engine=engine.name, fault=word, detail=fault.detail, exit=last_words.exit)

    def refusal(self, name: str, error: EngineFault) -> str:
        """Why an engine that was named cannot play."""
        fault = self.say(error.fault.value)
        return self.say("{engine} cannot play: {fault} ({detail})", engine=name, fault=fault, detail=error.detail)

    def check(self) -> str:
        """A warning to the person to move where the other side holds a line, which wins unless this turn breaks it."""
        if self._game.outcome is not None or self._game.turn not in self._game.people:
            return ""
        names = [line.partition(" ") for line in lines_to_break(self._game.game.position)]
        lines = self.say(" and ").join(self.say(f"{kind} {{name}}", name=name) for kind, _, name in names)
        text = "check: {holder} holds {lines}, and wins unless this turn breaks it"
        return self.say(text, holder=self.side(1 - self._game.turn), lines=lines) if lines else ""

    def ending(self, end: End) -> str:
        """Who won, and why."""
        reason = self.say(_REASONS.get(end.termination, end.termination.value))
        if end.winner == "draw":
            return self.say("a draw: {reason}", reason=reason)
        loser = 1 if end.winner == "p1" else 0
        is_you = self._session.alone and loser in self._game.people
        you_win = self._session.alone and not is_you
        win = self.say("you win") if you_win else self.say("{winner} wins", winner=self._called(1 - loser))
        lost = self._called(loser)
        match end.termination:
            case Termination.RESIGNATION:
                text = "{win}: you resigned" if is_you else "{lost} resigns: {win}"
            case Termination.TIME if loser in self._game.people:
                text = "your time is up: {win}" if is_you else "the time of {lost} is up: {win}"
            case _:
                text = "{win}: {reason}"
        return self.say(text, win=win, lost=lost, reason=reason)

    def _called(self, side: int) -> str:
        """How a player is called: an engine by its name, the only person `you`, one of two people by his side."""
        if side not in self._game.people:
            return self._session.names[side]
        return self.say("you") if self._session.alone else f"{SIDES[side]} ({self.side(side)})"

    def _figures(self, move: EngineMove) -> list[str]:
        """The depth and the score of a move."""
        depth, score = move.summary.depth, move.summary.score
        figures = [] if depth is None else [self.say("depth {depth}", depth=depth)]
        return figures if score is None else [*figures, self.say("score {score}", score=score)]

    def _clock(self, ns: int) -> str:
        """`4:05`, and tenths in the last twenty seconds."""
        seconds = max(0, ns) / 1e9
        short = self.say("{seconds} s", seconds=f"{seconds:.1f}")
        return short if seconds < 20 else f"{int(seconds) // 60}:{int(seconds) % 60:02}"
