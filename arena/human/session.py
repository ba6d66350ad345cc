"""One game of people, its engines and its file: whose turn it is, what people may do, and how a fault ends the game.

The moves, the clocks and what is taken back are those of `game`. The clock of a person's turn runs here. People look at
the game and act at a `Table`: a terminal or a browser.
"""

import re
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol

from arena.games.rules import IllegalMove
from arena.human.game import UNFINISHED, End, HumanGame, loss
from arena.human.game_file import GameFile, check_new_file
from arena.human.opponents import Opponent
from arena.human.sentences import Sentences
from arena.play.engine_pool import evidence
from protocol.faults import EngineFault
from results.record import Termination

_AGREED = End("draw", Termination.DRAW_AGREED)
"""The end of a game in which both people agree to a draw."""
_BETWEEN_SQUARES = re.compile(r"[\s,;:/>=-]+")
"""What people write between the squares of a move. No `x`: it is a file of a large board."""
_MOST_WORDS = 60
"""The most moves that are listed."""
_MOST_STDERR = 5
"""Lines of a broken engine's stderr that are told."""


class Phase(StrEnum):
    """Who is to act. BROKEN: a person, who takes another engine or undoes. LEFT: nobody, and the game is kept."""

    STARTING = "starting"
    PERSON = "person"
    ENGINE = "engine"
    BROKEN = "broken"
    OVER = "over"
    LEFT = "left"
    FAILED = "failed"


class PlayCommand(NamedTuple):
    """What a person does: `move`, `undo`, `hint`, `resign`, `draw`, `engine` or `quit`. Other words do nothing."""

    word: str
    rest: str = ""
    """The move as it was written, or the name of the engine; without a name the same one is started again."""


class Table(Protocol):
    """What people look at, and where they act."""

    def tell(self, sentence: str) -> None:
        """Say something to people."""

    def tell_owner(self, line: str) -> None:
        """Say something that only those may read whose machine this is."""

    def show(self, phase: Phase) -> None:
        """A turn begins, or the rules have ended the game: show how it stands."""

    def take(self, phase: Phase, left_ns: int | None) -> PlayCommand:
        """What a person does. Raises TimeoutError after `left_ns`, and EOFError if people have left."""

    def agrees(self, side: int) -> bool:
        """Whether the person of this side agrees to the draw that the other one offers."""

    def explain(self, error: Exception) -> str | None:
        """The sentence for an error that users can do something about, None for a bug of ours."""


class HumanGameSession:
    """One game from its start, or from where it was saved, to its end."""

    def __init__(
        self,
        game: HumanGame,
        names: Sequence[str],
        file: GameFile,
        start: Callable[[str], Opponent],
        opponent: Opponent | None,
        hint_engine: str | None = None,
        end: End = UNFINISHED,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`names` are those of p1 and p2 in the record. `start` starts an engine, see `EngineStarter.start`."""
        self.game = game
        self.names = list(names)
        self.sentences = Sentences(game, self.names)
        self.file = file
        self._start = start
        self.opponent = opponent
        """The engine that plays, if any."""
        self._engine = "" if opponent is None else opponent.argument
        """How the engine that plays, or played before its fault, was named."""
        self._hint_engine = hint_engine
        """The engine that gives hints; None where the opponent does."""
        self._hinter: Opponent | None = None
        self.end = end
        """How the game ends if people leave now."""
        self.hinted = ""
        """The move that an engine has just suggested."""
        self.is_saved = self._is_warned = False
        """Whether the file was written in this session, and people were warned that leaving loses the game."""
        self._first_moves = tuple(game.game.moves)
        self._now_ns = now_ns
        self._began_ns: int | None = None
        """When the turn of a person began; None while no person's clock runs."""

    @property
    def is_kept(self) -> bool:
        """Whether nothing would be lost if people left now."""
        return self.file.path is not None or not self.game.game.moves

    @property
    def may_agree(self) -> bool:
        """Whether people may agree to a draw."""
        return not self.game.alone and self.game.game.rules.draws

    def left_ns(self, side: int) -> int | None:
        """The time that a side has left now; None without clocks."""
        left_ns = self.game.left_ns(side)
        return left_ns if left_ns is None or side != self.game.turn else left_ns - self._thought_ns()

    def _thought_ns(self) -> int:
        return 0 if self._began_ns is None else self._now_ns() - self._began_ns

    def play(self, table: Table) -> None:
        """Play until the game is over or people leave; `end` is what came of it. A game that is over is only shown."""
        self._table = table
        is_over = is_old = self.end is not UNFINISHED
        try:
            while not is_over and self.game.outcome is None:
                is_over = self._turn()
                if not is_over:
                    self.end = UNFINISHED
                    self.save()
        except EOFError:
            self.end = UNFINISHED
        if self.game.outcome is not None and not is_over:
            self.end = self.game.end()
            table.show(Phase.OVER)
        # A game that was only looked at stays as it was.
        if not is_old and (self.end is not UNFINISHED or tuple(self.game.game.moves) != self._first_moves):
            self.save()

    def save(self) -> bool:
        """Write the game to its file, if it has one. False after a sentence about why it cannot be written any more."""
        try:
            if self.file.path is not None:
                self.file.write(self.game.record(self.names, self.file.game_id, self.file.started_at, self.end))
                self.is_saved = True
        except Exception as error:
            self.file.path = None
            self._table.tell(f"the game cannot be saved: {self._explained(error)}")
            return False
        return True

    def name_file(self, path: Path) -> bool:
        """Let a new file keep the game from now on, and tell whether it does. Raises CannotWrite."""
        if path != self.file.path:
            check_new_file(path, "save")
            self.file.path = path
        return self.save()

    # A turn

    def _turn(self) -> bool:
        """Let the side to move play. True if the game is over by `end`, or was left."""
        side, self._began_ns = self.game.turn, None
        if side in self.game.people:
            return self._ask(Phase.PERSON)
        if self.opponent is not None:
            self._table.show(Phase.ENGINE)
            try:
                move = self.game.reply()
            except EngineFault as fault:
                self.end = self._broken(self.opponent, fault, "loses")
            else:
                if move.word == "resign":
                    return self._ended(loss(side, Termination.RESIGNATION))
                self._table.tell(self.sentences.engine_move(side, move))
                return False
        return self._ask(Phase.BROKEN)

    def _ended(self, end: End) -> bool:
        self.end = end
        return True

    def _ask(self, phase: Phase) -> bool:
        """Let people act until the position or the engine has changed. True if they have left, given up or lost."""
        is_person, side, table = phase is Phase.PERSON, self.game.turn, self._table
        if is_person:
            self._began_ns = self._now_ns()
        table.show(phase)
        if check := self.sentences.check():
            table.tell(check)
        while True:
            try:
                word, rest = table.take(phase, self.left_ns(side) if is_person else None)
            except TimeoutError:
                return self._ended(loss(side, Termination.TIME, "the clock ran out"))
            self.hinted = ""
            match word:
                case "quit":
                    if not is_person or self._may_leave():
                        return True
                case "resign":
                    return self._ended(loss(side, Termination.RESIGNATION) if is_person else self.end)
                case "draw" if is_person:
                    if not self.may_agree:
                        table.tell("there are no draws by agreement in this game")
                    elif table.agrees(1 - side):
                        return self._ended(_AGREED)
                    else:
                        table.tell("no draw: the game goes on")
                case "hint" if is_person:
                    self._hint()
                case "undo":
                    plies = self.game.undo()
                    table.tell(self.sentences.taken_back(plies))
                    if plies:
                        return False
                case "move" if is_person:
                    if self._move(rest):
                        return False
                case "engine":
                    if self._change_engine(rest or self._engine) and not is_person:
                        return False

    def _may_leave(self) -> bool:
        """Leaving loses a game that is not kept: the first time there is a warning."""
        if self.is_kept or self._is_warned:
            return True
        self._is_warned = True
        self._table.tell("the game is not saved: `save FILE` keeps it, `quit` again leaves without it")
        return False

    def _move(self, typed: str) -> bool:
        """Play what was typed, `E4 - C3, C5` as well as e4c3c5. False after a sentence where it is no legal move."""
        word = _BETWEEN_SQUARES.sub("", typed.lower())
        try:
            self.game.play(word, self._thought_ns())
        except IllegalMove:
            self._table.tell(self.moves(word) or self.sentences.illegal(typed, word))
            return False
        return True

    def moves(self, start: str = "") -> str:
        """The legal moves that begin with `start`: the first `_MOST_WORDS`, and how many more there are."""
        words = self.game.legal_words(start)
        more = f" and {len(words) - _MOST_WORDS} more" if len(words) > _MOST_WORDS else ""
        return " ".join(words[:_MOST_WORDS]) + more

    # Engines

    def _hint(self) -> None:
        name = self._hint_engine
        if name is not None and self._hinter is None:
            self._hinter = self._started(name)
        engine = self.opponent if name is None else self._hinter
        if engine is not None:
            try:
                move = self.game.hint(engine.session)
            except EngineFault as fault:
                self._broken(engine, fault, "has no hint")
            else:
                self.hinted = "" if move.word == "resign" else move.word
                self._table.tell(self.sentences.hint(engine.name, move))
        elif name is None:
            self._table.tell("no engine gives hints here; begin with --hint-engine alphabeta, and it does")

    def _started(self, name: str) -> Opponent | None:
        """An engine that is ready for the game; None after a sentence about why it cannot play."""
        try:
            return self._start(name)
        except EngineFault as fault:
            self._table.tell(f"{name} cannot play: {fault.fault.value} ({fault.detail})")
        except Exception as error:
            self._table.tell(self._explained(error))
        return None

    def _explained(self, error: Exception) -> str:
        """The sentence for an error. Raises one that is a bug of ours."""
        sentence = self._table.explain(error)
        if sentence is None:
            raise error
        return sentence

    def _change_engine(self, name: str) -> bool:
        """Let another engine play on. False after a sentence about why it cannot; then nothing has changed."""
        if not self.game.alone:
            self._table.tell("two people play: there is no engine to change")
            return False
        before, engine = self.opponent, self._started(name)
        if engine is None:
            return False
        if before is not None:
            before.end()
        self.opponent, self._engine = engine, engine.argument
        self.game.replace_engine(engine.session)
        (person,) = self.game.people
        self.names[1 - person] = engine.name
        self._table.tell(f"{engine.name} plays on")
        return True

    def _broken(self, engine: Opponent, fault: EngineFault, does: str) -> End:
        """Tell of a fault, and end the engine: it plays no more and gives no more hints. The end of a game by it."""
        if engine is self._hinter:
            self._hinter = None
        else:
            self.opponent = None
        side, last_words = self.game.turn, engine.end()
        self._table.tell(f"{engine.name} {does}: {fault.fault.value} ({fault.detail}); {last_words.exit}")
        for line in last_words.stderr.splitlines()[-_MOST_STDERR:]:
            self._table.tell_owner(f"  stderr: {line}")
        return loss(side, Termination(fault.fault.value), fault.detail)._replace(
            evidence=evidence(side, fault, last_words)
        )
