"""A game with people in a terminal: what they type, and what is printed.

Prints nothing itself: a display prints and asks.
"""

import shlex
from pathlib import Path
from typing import Protocol

from arena.games.board_drawing import DrawnBoard
from arena.games.game_boards import board_of_game
from arena.human.game import UNFINISHED
from arena.human.game_file import STDOUT
from arena.human.session import HumanGameSession, Phase, PlayCommand
from arena.whole_file import CannotWrite
from results.tables.text_width import columns


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
    """The table of a session in a terminal."""

    def __init__(self, session: HumanGameSession, display: Display) -> None:
        self._session, self._sentences, self._display = session, session.sentences, display
        self.tell, self.tell_owner, self.explain = display.sentence, display.line, display.explain

    def run(self, can_ask: bool) -> None:
        """Play to the end. With `can_ask` a person at a terminal is asked whether to save a finished game."""
        session, display = self._session, self._display
        if moves := session.game.game.moves:
            self.tell(f"the game goes on after ply {len(moves)}")
        else:
            self._show_rules()
        self.tell(self._sentences.introduction() + "`help` lists what you can type.")
        try:
            session.play(self)
        except KeyboardInterrupt:
            display.line()
            self._show_file()
            self._show_unsaved_moves()
            raise
        end, is_by_rules = session.end, session.game.outcome is not None
        if end is UNFINISHED:
            self._show_unsaved_moves()
        else:
            display.line(self._sentences.ending(end))
            if is_by_rules:
                self.tell(f"the game: {' '.join(session.game.game.moves)}")
            if can_ask and not session.is_kept:
                self._ask_to_save()
        self._show_file()

    def show(self, phase: Phase) -> None:
        if phase is Phase.BROKEN:
            self.tell("`engine NAME` lets another engine play on; `undo`, `save FILE` and `quit` do as always.")
        else:
            self._display.line()
            self._display.draw(board_of_game(self._session.game.game))

    def take(self, phase: Phase, left_ns: int | None) -> PlayCommand:
        try:
            prompt = "the engine is gone: " if phase is Phase.BROKEN else self._sentences.prompt(left_ns)
            typed = self._display.ask(prompt, left_ns)
        except TimeoutError:
            self._display.line()
            raise
        if typed is None:
            raise EOFError
        word, rest = _words(typed)
        match word:
            case "board":
                self.show(Phase.PERSON)
            case "save":
                self._save_as(rest)
            case "quit" | "exit":
                return PlayCommand("quit")
            case "undo" | "resign" | "engine":
                return PlayCommand(word, rest)
            case _ if phase is Phase.BROKEN:
                if word:
                    self.tell("type `engine NAME`, `undo`, `save FILE`, `board` or `quit`")
            case "draw" | "hint":
                return PlayCommand(word)
            case "hints":
                return PlayCommand("hint")
            case "rules":
                self._show_rules()
            case "moves":
                self.tell(self._session.moves())
            case "help" | "?":
                for command, text in self._sentences.help():
                    self._display.sentence(command + text, columns(command))
            case _ if word:
                return PlayCommand("move", typed.strip())
        return PlayCommand("")

    def agrees(self, side: int) -> bool:
        typed = self._display.ask(f"{self._sentences.side(side)}: do you agree to a draw? y or n: ", None)
        return (typed or "").strip().lower() in ("y", "yes", "draw")

    # Files

    def _save_as(self, name: str) -> None:
        path = Path(name).expanduser() if name else self._session.file.path
        if path is None:
            self.tell("write `save` and a file's name, such as: save game.jsonl")
            return
        try:
            if self._session.name_file(path):
                self.tell(f"saved in {path}, which is kept up to date from now on")
        except CannotWrite as refused:
            self.tell(str(refused))

    def _ask_to_save(self) -> None:
        while self._session.file.path is None:
            word, rest = _words(self._display.ask("`save FILE` keeps the game, Enter leaves: ", None) or "")
            if word in ("", "quit", "exit"):
                return
            self._save_as(rest if word == "save" else "")

    def _show_unsaved_moves(self) -> None:
        if not self._session.is_kept:
            self.tell(f"the game is not saved; its moves: {' '.join(self._session.game.game.moves)}")

    def _show_file(self) -> None:
        """Show the command that goes on with the saved game, or imports it."""
        path = self._session.file.path
        if path is None or path == STDOUT or not self._session.is_saved:
            return
        if self._session.end is UNFINISHED:
            engine = self._session.opponent
            # An engine that is not registered is not found by its name in the record.
            who = "" if engine is None else f"{shlex.quote(engine.argument)} "
            command = f"play {who}--resume {shlex.quote(str(path))}"
        else:
            command = f"import {shlex.quote(str(path))} --into games.db"
        self._display.line(f"the game is saved: {self._display.program} {command}")

    def _show_rules(self) -> None:
        for text in self._sentences.rules():
            self.tell(text)


def _words(typed: str) -> tuple[str, str]:
    """The command that was typed, in small letters, and what comes after it."""
    word, _, rest = typed.strip().partition(" ")
    return word.lower(), rest.strip()
