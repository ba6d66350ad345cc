"""One game of people in a thread of its own: commands go in, and how it stands comes out, in both languages.

What a turn, a hint or an undo is belongs to the session. This module decides in which order commands are taken, and
ends a game that was left. It knows no browser and no network.
"""

import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from arena.games.rules import IllegalMove
from arena.human.game import UNFINISHED, End
from arena.human.sentences import Sentences, say
from arena.human.session import BrokenEngine, HumanGameSession
from arena.rulebook.board_drawing import DrawnBoard, Lang
from arena.rulebook.game_boards import board_of_game
from protocol.faults import EngineFault

LANGUAGES: tuple[Lang, ...] = ("en", "ja")
LEFT_S = 1800.0
"""A game without a command for so many seconds was left. It ends, and is kept."""
_MOST_WAITING = 8
"""So many commands may wait for the engine's move."""
Pair = tuple[str, str]
"""A word for p1 and one for p2."""


class Phase(StrEnum):
    """Whom a game waits for."""

    STARTING = "starting"
    PERSON = "person"
    ENGINE = "engine"
    BROKEN = "broken"
    """The engine is gone: another one, a move taken back, or the end."""
    OVER = "over"
    LEFT = "left"
    """Nobody did anything for a long time. The game is kept and can be taken up again."""
    FAILED = "failed"
    """The game cannot be played, as the last sentence says."""


class PlayCommand(NamedTuple):
    """What a person does: `open`, `move`, `undo`, `hint`, `resign`, `draw`, `engine` or `close`."""

    word: str
    move: str = ""
    ply: int | None = None
    """The number of moves that the person saw. A command for another position is dropped."""


@dataclass(frozen=True, slots=True)
class GameView:
    """How a game stands: all that a page shows of it."""

    phase: Phase = Phase.STARTING
    said: Mapping[Lang, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(LANGUAGES, ()))
    """The sentences since the last command."""
    names: Pair = ("", "")
    sides: Mapping[Lang, Pair] = field(default_factory=lambda: dict.fromkeys(LANGUAGES, ("p1", "p2")))
    rules: Mapping[Lang, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(LANGUAGES, ()))
    board: DrawnBoard | None = None
    moves: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()
    """The moves of the person to move; none in any other phase."""
    turn: int = 0
    people: tuple[int, ...] = ()
    left_ns: tuple[int | None, int | None] = (None, None)
    """What each side had left at `since_ns`; None without clocks."""
    since_ns: int | None = None
    """When the side to move began to think, on the monotonic clock; None where no clock runs."""
    hint: str = ""
    """The move that an engine would play."""
    may_agree: bool = False


class _Left(Exception):
    """The game was left, or its server ends."""


class HostedGame:
    """One game. `start` starts its thread, `give` hands a command over, and `view` is how it stands."""

    def __init__(
        self,
        begin: Callable[[Callable[[str], None]], AbstractContextManager[HumanGameSession]],
        explain: Callable[[Exception], str | None],
        on_change: Callable[[], None],
        left_s: float = LEFT_S,
    ) -> None:
        """`begin` gives the session, and is given what takes notes for the user.

        `explain` is the sentence for an error that users can do something about, None for a bug of ours. `on_change` is
        called in the game's thread whenever `view` has changed.
        """
        self._begin, self._explain, self._on_change, self._left_s = begin, explain, on_change, left_s
        self.view = GameView()
        self.begun: Future[None] = Future()
        """Done when the engines are ready; it has the error if they are not."""
        self._commands: queue.SimpleQueue[PlayCommand] = queue.SimpleQueue()
        self._said: dict[Lang, list[str]] = {lang: [] for lang in LANGUAGES}
        self._hint = ""
        self._acted = time.monotonic()
        """When the last command came."""
        self._is_seen = False
        """Has anybody opened the game? No clock runs before."""
        self._thread = threading.Thread(target=self._run, name="game", daemon=True)

    @property
    def kept_in(self) -> Path | None:
        """The file that keeps it, once it has begun; None where that cannot be written any more."""
        return self._session.file.path

    @property
    def is_running(self) -> bool:
        """Does it have engines, or is it about to?"""
        return self._thread.is_alive()

    def start(self) -> None:
        self._thread.start()

    def give(self, command: PlayCommand) -> bool:
        """Hand over a command. False where too many wait."""
        if self._commands.qsize() >= _MOST_WAITING:
            return False
        self._commands.put(command)
        return True

    def end(self, wait_s: float) -> None:
        """End the game as one that was left, and wait so long for it."""
        self._commands.put(PlayCommand("close"))
        self.join(wait_s)

    def join(self, wait_s: float) -> None:
        """Wait so long until its thread has ended."""
        self._thread.join(wait_s)

    # What follows runs in the game's thread.

    def _run(self) -> None:
        phase = Phase.LEFT
        try:
            with self._begin(self._note) as session:
                self._session, self._game = session, session.game
                self._sentences = {lang: Sentences(session, lang) for lang in LANGUAGES}
                self.begun.set_result(None)
                phase = self._play()
        except Exception as error:
            phase, sentence = Phase.FAILED, self._explain(error)
            self._note(sentence or "an error of the arena ended the game; its moves are kept")
            if not self.begun.done():
                self.begun.set_exception(error)
            if sentence is None:
                raise
        finally:
            if phase is Phase.LEFT:
                self._say_in_each("the game was left, and is kept")
            said = {lang: tuple(lines) for lang, lines in self._said.items()}
            self.view = replace(self.view, phase=phase, said=said, legal=(), since_ns=None)
            self._on_change()

    def _play(self) -> Phase:
        """Play until the game is over or left."""
        end: End | None = None
        try:
            while end is None and self._game.outcome is None:
                if self._game.turn in self._game.people:
                    end = self._persons_turn()
                elif self._session.opponent is None:
                    end = self._without_engine(UNFINISHED)
                else:
                    end = self._engines_turn()
                if end is None:
                    self._save(lambda: self._session.save(UNFINISHED))
                    self._say(lambda sentences: sentences.check())
        except _Left:
            self._save(lambda: self._session.save_at_end(UNFINISHED))
            return Phase.LEFT
        ended = end or self._game.end()
        self._save(lambda: self._session.save_at_end(ended))
        if ended is UNFINISHED:
            return Phase.LEFT
        self._say(lambda sentences: sentences.ending(ended))
        self._show(Phase.OVER)
        return Phase.OVER

    def _engines_turn(self) -> End | None:
        side = self._game.turn
        self._show(Phase.ENGINE, time.monotonic_ns())
        move = self._session.engine_turn()
        if isinstance(move, BrokenEngine):
            self._say(lambda sentences: sentences.fault(move, "{engine} loses: {fault} ({detail}); {exit}"))
            return self._without_engine(move.end)
        if move.word == "resign":
            return self._session.resign()
        self._say(lambda sentences: sentences.engine_move(side, move))
        return None

    def _without_engine(self, end: End) -> End | None:
        """The engine is gone. What the fault makes of the game is its end if nobody goes on."""
        while True:
            self._show(Phase.BROKEN)
            command = self._next(None)
            match command.word if command else "":
                case "engine":
                    if self._start_engine():
                        return None
                case "undo":
                    if self._undo():
                        return None
                case "resign":
                    return end

    def _persons_turn(self) -> End | None:
        """Take commands until a move was made or taken back. The end, where the person resigns or loses."""
        if self._is_seen:
            self._session.start_turn()
        while True:
            self._show(Phase.PERSON, self._session.began_ns)
            command = self._next(self._session.left_ns(self._game.turn) if self._is_seen else None)
            if command is None:
                return self._session.out_of_time()
            match command.word:
                case "open" if not self._is_seen:
                    self._is_seen = True
                    self._session.start_turn()
                case "move":
                    if self._move(command.move):
                        return None
                case "undo":
                    if self._undo():
                        return None
                case "hint":
                    self._give_hint()
                case "resign":
                    return self._session.resign()
                case "draw" if self._session.may_agree:
                    return self._session.agree_to_draw()

    def _next(self, rest_ns: int | None) -> PlayCommand | None:
        """The next command for this position; None where a clock with so much left ran out before it came."""
        until = None if rest_ns is None else time.monotonic() + rest_ns / 1e9
        while True:
            now, left = time.monotonic(), self._acted + self._left_s
            try:
                command = self._commands.get(timeout=max(0.0, (left if until is None else min(left, until)) - now))
            except queue.Empty:
                if until is not None and until <= time.monotonic():
                    return None
                raise _Left from None
            if command.word == "close":
                raise _Left
            self._acted = time.monotonic()
            if command.ply in (None, len(self._game.game.moves)):
                if command.word != "open":
                    self._said, self._hint = {lang: [] for lang in LANGUAGES}, ""
                return command

    def _move(self, typed: str) -> bool:
        """Play a move; False after a sentence about why it is none."""
        word = "".join(typed.lower().split())
        try:
            self._session.play(word)
        except IllegalMove:
            self._say(lambda sentences: sentences.illegal(typed, word))
            return False
        return True

    def _undo(self) -> bool:
        plies = self._session.undo()
        self._say(lambda sentences: sentences.taken_back(plies))
        return plies > 0

    def _give_hint(self) -> None:
        try:
            hint = self._session.hint()
        except Exception as error:
            self._refuse(self._session.hint_engine or "", error)
            return
        if hint is None:
            self._say_in_each("no engine gives hints here; begin with --hint-engine alphabeta, and it does")
        elif isinstance(hint, BrokenEngine):
            self._say(lambda sentences: sentences.fault(hint, "{engine} has no hint: {fault} ({detail}); {exit}"))
        else:
            self._hint = "" if hint.move.word == "resign" else hint.move.word
            self._say(lambda sentences: sentences.hint(hint))

    def _start_engine(self) -> bool:
        """Start the engine again that broke; False after a sentence about why it cannot play."""
        name = self._session.engine_argument
        try:
            engine = self._session.change_engine(name)
        except Exception as error:
            self._refuse(name, error)
            return False
        self._say(lambda sentences: sentences.say("{engine} plays on", engine=engine.name))
        return True

    def _refuse(self, name: str, error: Exception) -> None:
        """Say why an engine cannot play. Raises an error that is a bug of ours."""
        if isinstance(error, EngineFault):
            self._say(lambda sentences: sentences.refusal(name, error))
        elif (sentence := self._explain(error)) is not None:
            self._note(sentence)
        else:
            raise error

    def _save(self, save: Callable[[], None]) -> None:
        try:
            save()
        except Exception as error:
            reason = self._explain(error)
            if reason is None:
                raise
            self._say_in_each("the game cannot be saved: {reason}", reason=reason)

    # What is shown

    def _say(self, sentence: Callable[[Sentences], str]) -> None:
        for lang, sentences in self._sentences.items():
            self._said[lang] += [text] if (text := sentence(sentences)) else []

    def _say_in_each(self, text: str, **values: object) -> None:
        for lang in LANGUAGES:
            self._said[lang].append(say(lang, text, **values))

    def _note(self, sentence: str) -> None:
        """A sentence that has one language."""
        for lines in self._said.values():
            lines.append(sentence)

    def _show(self, phase: Phase, since_ns: int | None = None) -> None:
        game = self._game
        self.view = GameView(
            phase,
            {lang: tuple(lines) for lang, lines in self._said.items()},
            (self._session.names[0], self._session.names[1]),
            {lang: (each.side(0), each.side(1)) for lang, each in self._sentences.items()},
            self.view.rules if self.view.board else {lang: each.rules() for lang, each in self._sentences.items()},
            board_of_game(game.game),
            tuple(game.game.moves),
            tuple(game.legal_words()) if phase is Phase.PERSON else (),
            game.turn,
            game.people,
            (game.left_ns(0), game.left_ns(1)),
            since_ns,
            self._hint,
            self._session.may_agree,
        )
        self._on_change()
