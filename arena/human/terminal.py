"""The conversation of a game with people: what they type, what it does, and the sentences that they read.

Prints nothing itself: a display does, and asks.
"""

import re
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from arena.games.decision import lines_to_break
from arena.games.rules import IllegalMove
from arena.human.game import UNFINISHED, End, EngineMove, loss
from arena.human.session import BrokenEngine, HumanGameSession
from arena.play.adjudication import SIDES
from arena.rulebook.board_drawing import DrawnBoard, Lang
from arena.rulebook.game_boards import board_of_game
from arena.rulebook.page import page, side_name
from arena.rulebook.short_rules import short_rules
from arena.whole_file import CannotWrite
from protocol.faults import EngineFault
from results.record import Termination
from results.safe_text import harmless

_COMMANDS = (
    ("a move", "such as {example}; the start of one lists the moves that begin so"),
    ("moves", "all legal moves"),
    ("hint", "the move that an engine would play, with its score and line"),
    ("undo", "take back {undone}"),
    ("board", "draw the board again"),
    ("rules", "the rules in five lines"),
    ("save FILE", "keep the game in a file from now on, as PGN if it ends in .pgn"),
    ("engine NAME", "let another engine play on for the present one"),
    ("draw", "offer a draw, where two people play and the game has draws"),
    ("resign", "give the game up"),
    ("quit", "leave"),
)
"""What can be typed, and what it does."""
_REASONS = {
    Termination.LINE: "a line stood after the reply",
    Termination.NO_TURN: "the other side has no complete turn",
    Termination.KING_ESCAPED: "the king escaped",
    Termination.KING_CAPTURED: "the king is captured",
    Termination.NO_MOVE: "the other side has no legal move",
    Termination.REPETITION: "the position occurred three times",
    Termination.DRAW_AGREED: "both agreed",
}
"""The end of a game in words. Another end is named by its termination."""
_BETWEEN_SQUARES = re.compile(r"[\s,;:/>=-]+")
"""What people write between the squares of a move. No `x`: it is a file of a large board."""
_SQUARE = re.compile(r"[a-z]\d")
_MOST_WORDS = 60
"""At most so many moves are listed."""
_LONGEST_LINE = 8
"""A hint shows at most so many moves of the engine's line."""
_MOST_STDERR = 5
"""Lines of a broken engine's stderr that are shown."""
_HOW_TO_SAVE = "write `save` and a file's name, such as: save game.jsonl"


class Display(Protocol):
    """What people look at and type into."""

    lang: Lang
    """The language of the rules and of the sides."""
    program: str
    """How the arena is called in a shell."""

    def line(self, text: str = "") -> None:
        """Show a line, which is never broken."""

    def sentence(self, text: str, indent: int = 0) -> None:
        """Show a sentence on as many lines as it needs; the further ones are indented."""

    def draw(self, board: DrawnBoard) -> None:
        """Show a board."""

    def ask(self, prompt: str, wait_ns: int | None) -> str | None:
        """The line that is typed within so many ns, None at the end of the input. Raises TimeoutError."""

    def explain(self, error: Exception) -> str | None:
        """The sentence for an error that users can do something about, None for a bug of ours."""


class TerminalGame:
    """A session as a conversation: draws, asks, answers and saves until the game is over or people leave."""

    def __init__(self, session: HumanGameSession, display: Display) -> None:
        self._session = session
        self._game = session.game
        self._display = display
        self._is_warned = False

    def run(self, can_ask: bool) -> None:
        """Play to the end. With `can_ask` a person at a terminal is asked whether to save a finished game."""
        moves = self._game.game.moves
        if moves:
            self._say(f"the game goes on after ply {len(moves)}")
        else:
            self._show_rules()
        self._draw()
        self._say(f"{self._introduction()}`help` lists what you can type.")
        try:
            end = self._play()
        except KeyboardInterrupt:
            self._display.line()
            self._show_file(UNFINISHED)
            self._show_unsaved_moves()
            raise
        self._show_end(end)
        self._try_to_save(lambda: self._session.save_at_end(end))
        if end is UNFINISHED:
            self._show_unsaved_moves()
        elif can_ask and not self._session.is_kept:
            self._ask_to_save(end)
        self._show_file(end)

    def _play(self) -> End:
        end: End | None = None
        while end is None and self._game.outcome is None:
            if self._game.turn in self._game.people:
                end = self._persons_turn()
            elif self._session.opponents.opponent is None:
                end = self._without_engine(UNFINISHED)
            else:
                end = self._engines_turn()
            if end is None:
                self._try_to_save(lambda: self._session.save(UNFINISHED))
                self._draw()
                self._show_check()
        return end or self._game.end()

    # Turns

    def _engines_turn(self) -> End | None:
        side = self._game.turn
        move = self._session.engine_turn()
        if isinstance(move, BrokenEngine):
            self._show_fault(move, "loses")
            return self._without_engine(move.end)
        if move.word == "resign":
            return loss(side, Termination.RESIGNATION)
        left_ns = self._game.left_ns(side)
        figures = [f"{move.think_ns / 1e9:.1f} s", *_figures(move)]
        figures += [] if left_ns is None else [f"{_clock(left_ns)} left"]
        self._say(f"{self._session.names[side]} plays {move.word} ({', '.join(figures)})")
        return None

    def _without_engine(self, end: End) -> End | None:
        """The engine is gone: another one, a move taken back, or the end that the fault gives the game."""
        self._say("`engine NAME` lets another engine play on; `undo`, `save FILE` and `quit` do as always.")
        while True:
            typed = self._display.ask("the engine is gone: ", None)
            if typed is None:
                return end
            word, rest = _words(typed)
            match word:
                case "quit" | "exit" | "resign":
                    return end
                case "engine":
                    if self._change_engine(rest):
                        return None
                case "undo":
                    if self._undo():
                        return None
                case "save":
                    self._save_as(rest, end)
                case "board":
                    self._draw()
                case "":
                    continue
                case _:
                    self._say("type `engine NAME`, `undo`, `save FILE`, `board` or `quit`")

    def _persons_turn(self) -> End | None:
        """Ask until a move was made or taken back. The end, where the person leaves or loses."""
        began_ns = time.monotonic_ns()
        side = self._game.turn
        while True:
            left_ns = self._game.left_ns(side)
            rest_ns = None if left_ns is None else left_ns - (time.monotonic_ns() - began_ns)
            try:
                typed = self._display.ask(self._prompt(rest_ns), rest_ns)
            except TimeoutError:
                self._display.line()
                return loss(side, Termination.TIME, "the clock ran out")
            if typed is None:
                return UNFINISHED
            word, rest = _words(typed)
            match word:
                case "quit" | "exit":
                    if self._may_leave():
                        return UNFINISHED
                case "resign":
                    return loss(side, Termination.RESIGNATION)
                case "draw":
                    if self._session.alone or not self._game.game.rules.draws:
                        self._display.line("there are no draws by agreement in this game")
                    elif self._agreed(1 - side):
                        return End("draw", Termination.DRAW_AGREED)
                case "undo":
                    if self._undo():
                        return None
                case "engine":
                    self._change_engine(rest)
                case "save":
                    self._save_as(rest, UNFINISHED)
                case "board":
                    self._draw()
                case "rules":
                    self._show_rules()
                case "moves":
                    self._list_moves("")
                case "hint" | "hints":
                    self._hint()
                case "help" | "?":
                    self._show_help()
                case "":
                    continue
                case _:
                    if self._move(typed.strip(), began_ns):
                        return None

    def _agreed(self, side: int) -> bool:
        """Ask the other person, who sits at the same keyboard, whether a draw is agreed."""
        typed = self._display.ask(f"{self._side_name(side)}: do you agree to a draw? y or n: ", None)
        if (typed or "").strip().lower() in ("y", "yes", "draw"):
            return True
        self._display.line("no draw: the game goes on")
        return False

    def _move(self, typed: str, began_ns: int) -> bool:
        """Play what was typed, `E4 - C3, C5` as well as e4c3c5. False after a sentence where it is no legal move."""
        word = _BETWEEN_SQUARES.sub("", typed.lower())
        try:
            self._game.play(word, time.monotonic_ns() - began_ns)
        except IllegalMove:
            if self._game.legal_words(word):
                self._list_moves(word)
            elif _SQUARE.match(word):
                self._say(f"{typed} is no legal move; `moves` lists them")
            else:
                self._say(f"{typed} is no move and no command; `help` lists what you can type")
            return False
        return True

    def _undo(self) -> bool:
        plies = self._game.undo()
        some = "1 ply" if plies == 1 else f"{plies} plies"
        self._say(f"{some} taken back" if plies else "there is no move of yours to take back")
        return plies > 0

    def _list_moves(self, start: str) -> None:
        fitting = self._game.legal_words(start)
        rest = f" and {len(fitting) - _MOST_WORDS} more" if len(fitting) > _MOST_WORDS else ""
        self._say(" ".join(fitting[:_MOST_WORDS]) + rest)

    # Engines

    def _change_engine(self, name: str) -> bool:
        if not self._session.alone:
            self._say("two people play: there is no engine to change")
            return False
        if not name:
            self._say("write `engine` and a name, such as: engine greedy")
            return False
        try:
            engine = self._session.change_engine(name)
        except Exception as error:
            self._say(self._refusal(name, error))
            return False
        self._say(f"{engine.name} plays on")
        return True

    def _hint(self) -> None:
        try:
            hint = self._session.hint()
        except Exception as error:
            self._say(self._refusal(self._session.opponents.hint_engine or "", error))
        else:
            if hint is None:
                self._say("no engine gives hints here; begin with --hint-engine alphabeta, and it does")
            elif isinstance(hint, BrokenEngine):
                self._show_fault(hint, "has no hint")
            elif hint.move.word == "resign":
                self._say(f"{hint.engine.name} would resign")
            else:
                figures, line = _figures(hint.move), hint.move.line
                if len(line) > 1:
                    figures.append(f"line {' '.join(line[:_LONGEST_LINE])}{' ...' * (len(line) > _LONGEST_LINE)}")
                shown = f" ({', '.join(figures)})" if figures else ""
                self._say(f"{hint.engine.name} would play {hint.move.word}{shown}")

    def _refusal(self, name: str, error: Exception) -> str:
        """Why an engine cannot play. Raises an error that is a bug of ours."""
        if isinstance(error, EngineFault):
            return f"{name} cannot play: {error.fault.value} ({error.detail})"
        return self._explained(error)

    def _explained(self, error: Exception) -> str:
        sentence = self._display.explain(error)
        if sentence is None:
            raise error
        return sentence

    def _show_fault(self, broken: BrokenEngine, what: str) -> None:
        engine, fault, scene, _ = broken
        self._say(f"{engine.name} {what}: {fault.fault.value} ({fault.detail}); {scene.exit}")
        for line in scene.stderr.splitlines()[-_MOST_STDERR:]:
            self._display.line(f"  stderr: {line}")

    # Files

    def _may_leave(self) -> bool:
        """Leaving loses a game that is not kept: the first time there is a warning."""
        if self._session.is_kept or self._is_warned:
            return True
        self._is_warned = True
        self._say("the game is not saved: `save FILE` keeps it, `quit` again leaves without it")
        return False

    def _save_as(self, name: str, end: End) -> None:
        path = Path(name).expanduser() if name else self._session.file.path
        if path is None:
            self._say(_HOW_TO_SAVE)
            return
        try:
            if name:
                self._session.name_file(path)
        except CannotWrite as refused:
            self._say(str(refused))
            return
        if self._try_to_save(lambda: self._session.save(end)):
            self._say(f"saved in {path}, which is kept up to date from now on")

    def _try_to_save(self, save: Callable[[], None]) -> bool:
        """False after a sentence about why the game cannot be saved."""
        try:
            save()
        except Exception as error:
            self._say(f"the game cannot be saved: {self._explained(error)}")
            return False
        return True

    def _ask_to_save(self, end: End) -> None:
        while self._session.file.path is None:
            word, rest = _words(self._display.ask("`save FILE` keeps the game, Enter leaves: ", None) or "")
            match word:
                case "" | "quit" | "exit":
                    return
                case "save":
                    self._save_as(rest, end)
                case _:
                    self._say(_HOW_TO_SAVE)

    def _show_unsaved_moves(self) -> None:
        if not self._session.is_kept:
            self._say(f"the game is not saved; its moves: {' '.join(self._game.game.moves)}")

    def _show_file(self, end: End) -> None:
        """Show the command that goes on with the saved game, or imports it."""
        path = self._session.file.path
        if path is None or not self._session.is_saved:
            return
        if end is UNFINISHED:
            engine = self._session.opponents.opponent
            # An engine that is not registered is not found by its name in the record.
            who = "" if engine is None else f"{shlex.quote(engine.argument)} "
            command = f"play {who}--resume {shlex.quote(str(path))}"
        else:
            command = f"import {shlex.quote(str(path))} --into games.db"
        self._display.line(f"the game is saved: {self._display.program} {command}")

    # What is shown

    def _say(self, sentence: str) -> None:
        self._display.sentence(sentence)

    def _show_end(self, end: End) -> None:
        if end is UNFINISHED:
            return
        reason = _REASONS.get(end.termination, end.termination)
        if end.winner == "draw":
            text = f"a draw: {reason}"
        else:
            loser = 1 if end.winner == "p1" else 0
            winner, lost = self._called(1 - loser), self._called(loser)
            win = "you win" if winner == "you" else f"{winner} wins"
            match end.termination:
                case Termination.RESIGNATION:
                    text = f"{win}: you resigned" if lost == "you" else f"{lost} resigns: {win}"
                case Termination.TIME if loser in self._game.people:
                    text = f"{'your time' if lost == 'you' else f'the time of {lost}'} is up: {win}"
                case _:
                    text = f"{win}: {reason}"
        self._display.line(text)
        if self._game.outcome is not None:
            self._say(f"the game: {' '.join(self._game.game.moves)}")

    def _called(self, side: int) -> str:
        """How a player is called: an engine by its name, the only person `you`, one of two people by his side."""
        if side not in self._game.people:
            return self._session.names[side]
        return "you" if self._session.alone else f"{SIDES[side]} ({self._side_name(side)})"

    def _side_name(self, side: int) -> str:
        return side_name(self._game.game.rules, SIDES[side], self._display.lang)

    def _prompt(self, rest_ns: int | None) -> str:
        who = self._side_name(self._game.turn)
        clock = "" if rest_ns is None else f", {_clock(rest_ns)} left"
        turn = self._game.game.position.turn
        return f"{turn}. you ({who}{clock}): " if self._session.alone else f"{turn}. {who}{clock}: "

    def _introduction(self) -> str:
        """`You play as White against greedy. `, or nothing where people play each other."""
        if not self._session.alone:
            return ""
        (person,) = self._game.people
        return f"You play as {self._side_name(person)} against {harmless(self._session.names[1 - person])}. "

    def _show_check(self) -> None:
        """Warn the person to move of a line that the other side holds: it wins unless this turn breaks it."""
        lines = () if self._game.outcome is not None else lines_to_break(self._game.game.position)
        if lines and self._game.turn in self._game.people:
            holder = self._side_name(1 - self._game.turn)
            self._say(f"check: {holder} holds {' and '.join(lines)}, and wins unless this turn breaks it")

    def _show_rules(self) -> None:
        rules, lang = self._game.game.rules, self._display.lang
        for text in (page(rules, lang).title, *short_rules(rules, lang, self._game.game.start)):
            self._say(text)

    def _show_help(self) -> None:
        undone = "your last move and the answer to it" if self._session.alone else "the last move"
        width = 2 + max(len(word) for word, _ in _COMMANDS) + 2
        for word, what in _COMMANDS:
            text = what.format(example=self._game.legal_words()[0], undone=undone)
            self._display.sentence(f"  {word}".ljust(width) + text, width)

    def _draw(self) -> None:
        self._display.line()
        self._display.draw(board_of_game(self._game.game))


def _words(typed: str) -> tuple[str, str]:
    """The command that was typed, in small letters, and what stands behind it."""
    word, _, rest = typed.strip().partition(" ")
    return word.lower(), rest.strip()


def _figures(move: EngineMove) -> list[str]:
    """The depth and the score of a move, in words."""
    depth, score = move.summary.depth, move.summary.score
    return [f"depth {depth}"] * (depth is not None) + [f"score {score}"] * (score is not None)


def _clock(ns: int) -> str:
    """`4:05`, and tenths in the last twenty seconds."""
    seconds = max(0, ns) / 1e9
    return f"{seconds:.1f} s" if seconds < 20 else f"{int(seconds) // 60}:{int(seconds) % 60:02}"
