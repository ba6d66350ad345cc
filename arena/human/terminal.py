"""The conversation of a game with people in a terminal: what they type, and what it does.

Prints nothing itself: a display prints and asks.
"""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from arena.games.board_drawing import DrawnBoard
from arena.games.game_boards import board_of_game
from arena.games.rules import IllegalMove
from arena.human.game import UNFINISHED, End
from arena.human.game_file import STDOUT
from arena.human.sentences import Sentences
from arena.human.session import AGREED, BrokenEngine, HumanGameSession
from arena.whole_file import CannotWrite
from protocol.faults import EngineFault
from results.tables.text_width import columns

_BETWEEN_SQUARES = re.compile(r"[\s,;:/>=-]+")
"""What people write between the squares of a move. No `x`: it is a file of a large board."""
_MOST_WORDS = 60
"""At most so many moves are listed."""
_MOST_STDERR = 5
"""Lines of a broken engine's stderr that are shown."""


class Display(Protocol):
    """What people look at and type into."""

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
        self._sentences = Sentences(session)
        self._is_warned = False

    def run(self, can_ask: bool) -> None:
        """Play to the end. With `can_ask` a person at a terminal is asked whether to save a finished game."""
        moves = self._game.game.moves
        if moves:
            self._tell(f"the game goes on after ply {len(moves)}")
        else:
            self._show_rules()
        self._draw()
        self._tell(self._sentences.introduction() + "`help` lists what you can type.")
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
            elif self._session.opponent is None:
                end = self._without_engine(UNFINISHED)
            else:
                end = self._engines_turn()
            if end is None:
                self._try_to_save(lambda: self._session.save(UNFINISHED))
                self._draw()
                if check := self._sentences.check():
                    self._tell(check)
        return end or self._game.end()

    # Turns

    def _engines_turn(self) -> End | None:
        side = self._game.turn
        move = self._session.engine_turn()
        if isinstance(move, BrokenEngine):
            self._show_fault(move, "loses")
            return self._without_engine(move.end)
        if move.word == "resign":
            return self._session.resign()
        self._tell(self._sentences.engine_move(side, move))
        return None

    def _without_engine(self, end: End) -> End | None:
        """The engine is gone: another one, a move taken back, or the end that the fault gives the game."""
        self._tell("`engine NAME` lets another engine play on; `undo`, `save FILE` and `quit` do as always.")
        while True:
            typed = self._ask("the engine is gone: ")
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
                    self._tell("type `engine NAME`, `undo`, `save FILE`, `board` or `quit`")

    def _persons_turn(self) -> End | None:
        """Ask until a move was made or taken back. The end, where the person leaves or loses."""
        self._session.start_turn()
        side = self._game.turn
        while True:
            try:
                typed = self._display.ask(self._sentences.prompt(), self._session.left_ns(side))
            except TimeoutError:
                self._display.line()
                return self._session.out_of_time()
            if typed is None:
                return UNFINISHED
            word, rest = _words(typed)
            match word:
                case "quit" | "exit":
                    if self._may_leave():
                        return UNFINISHED
                case "resign":
                    return self._session.resign()
                case "draw":
                    if not self._session.may_agree:
                        self._tell("there are no draws by agreement in this game")
                    elif self._agreed(1 - side):
                        return AGREED
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
                    for command, text in self._sentences.help():
                        self._display.sentence(command + text, columns(command))
                case "":
                    continue
                case _:
                    if self._move(typed.strip()):
                        return None

    def _agreed(self, side: int) -> bool:
        """Ask the other person, who sits at the same keyboard, whether a draw is agreed."""
        typed = self._ask(f"{self._sentences.side(side)}: do you agree to a draw? y or n: ")
        if (typed or "").strip().lower() in ("y", "yes", "draw"):
            return True
        self._tell("no draw: the game goes on")
        return False

    def _move(self, typed: str) -> bool:
        """Play what was typed, `E4 - C3, C5` as well as e4c3c5. False after a sentence where it is no legal move."""
        word = _BETWEEN_SQUARES.sub("", typed.lower())
        try:
            self._session.play(word)
        except IllegalMove:
            if self._game.legal_words(word):
                self._list_moves(word)
            else:
                self._tell(self._sentences.illegal(typed, word))
            return False
        return True

    def _undo(self) -> bool:
        plies = self._session.undo()
        self._tell(self._sentences.taken_back(plies))
        return plies > 0

    def _list_moves(self, start: str) -> None:
        fitting = self._game.legal_words(start)
        moves = " ".join(fitting[:_MOST_WORDS])
        if len(fitting) > _MOST_WORDS:
            moves += f" and {len(fitting) - _MOST_WORDS} more"
        self._tell(moves)

    # Engines

    def _change_engine(self, name: str) -> bool:
        if not self._session.alone:
            self._tell("two people play: there is no engine to change")
            return False
        if not name:
            self._tell("write `engine` and a name, such as: engine greedy")
            return False
        try:
            engine = self._session.change_engine(name)
        except Exception as error:
            self._tell(self._refusal(name, error))
            return False
        self._tell(f"{engine.name} plays on")
        return True

    def _hint(self) -> None:
        try:
            hint = self._session.hint()
        except Exception as error:
            self._tell(self._refusal(self._session.hint_engine or "", error))
        else:
            if isinstance(hint, BrokenEngine):
                self._show_fault(hint, "has no hint")
            else:
                self._tell(self._sentences.hint(hint))

    def _refusal(self, name: str, error: Exception) -> str:
        """Why an engine cannot play. Raises an error that is a bug of ours."""
        if isinstance(error, EngineFault):
            return self._sentences.refusal(name, error)
        return self._explained(error)

    def _explained(self, error: Exception) -> str:
        sentence = self._display.explain(error)
        if sentence is None:
            raise error
        return sentence

    def _show_fault(self, broken: BrokenEngine, does: str) -> None:
        self._tell(self._sentences.fault(broken, does))
        for line in broken.last_words.stderr.splitlines()[-_MOST_STDERR:]:
            self._display.line(f"  stderr: {line}")

    # Files

    def _may_leave(self) -> bool:
        """Leaving loses a game that is not kept: the first time there is a warning."""
        if self._session.is_kept or self._is_warned:
            return True
        self._is_warned = True
        self._tell("the game is not saved: `save FILE` keeps it, `quit` again leaves without it")
        return False

    def _save_as(self, name: str, end: End) -> None:
        path = Path(name).expanduser() if name else self._session.file.path
        if path is None:
            self._tell_how_to_save()
            return
        try:
            if name:
                self._session.name_file(path)
        except CannotWrite as refused:
            self._tell(str(refused))
            return
        if self._try_to_save(lambda: self._session.save(end)):
            self._tell(f"saved in {path}, which is kept up to date from now on")

    def _try_to_save(self, save: Callable[[], None]) -> bool:
        """False after a sentence about why the game cannot be saved."""
        try:
            save()
        except Exception as error:
            self._tell(f"the game cannot be saved: {self._explained(error)}")
            return False
        return True

    def _ask_to_save(self, end: End) -> None:
        while self._session.file.path is None:
            word, rest = _words(self._ask("`save FILE` keeps the game, Enter leaves: ") or "")
            match word:
                case "" | "quit" | "exit":
                    return
                case "save":
                    self._save_as(rest, end)
                case _:
                    self._tell_how_to_save()

    def _show_unsaved_moves(self) -> None:
        if not self._session.is_kept:
            self._tell(f"the game is not saved; its moves: {' '.join(self._game.game.moves)}")

    def _show_file(self, end: End) -> None:
        """Show the command that goes on with the saved game, or imports it."""
        path = self._session.file.path
        if path is None or path == STDOUT or not self._session.is_saved:
            return
        if end is UNFINISHED:
            engine = self._session.opponent
            # An engine that is not registered is not found by its name in the record.
            who = "" if engine is None else f"{shlex.quote(engine.argument)} "
            command = f"play {who}--resume {shlex.quote(str(path))}"
        else:
            command = f"import {shlex.quote(str(path))} --into games.db"
        self._display.line(f"the game is saved: {self._display.program} {command}")

    # What is shown

    def _tell(self, sentence: str) -> None:
        self._display.sentence(sentence)

    def _tell_how_to_save(self) -> None:
        self._tell("write `save` and a file's name, such as: save game.jsonl")

    def _ask(self, text: str) -> str | None:
        return self._display.ask(text, None)

    def _show_end(self, end: End) -> None:
        if end is not UNFINISHED:
            self._display.line(self._sentences.ending(end))
            if self._game.outcome is not None:
                self._tell(f"the game: {' '.join(self._game.game.moves)}")

    def _show_rules(self) -> None:
        for text in self._sentences.rules():
            self._tell(text)

    def _draw(self) -> None:
        self._display.line()
        self._display.draw(board_of_game(self._game.game))


def _words(typed: str) -> tuple[str, str]:
    """The command that was typed, in small letters, and what stands behind it."""
    word, _, rest = typed.strip().partition(" ")
    return word.lower(), rest.strip()
