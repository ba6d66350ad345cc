"""People at a board: draws, asks, answers and saves until the game is over or they leave.

Owns what people type and what they read. The game and its clocks are `arena.human.game`'s; engines are handed in.
"""

import re
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from arena.cli import errors, output
from arena.cli.errors import BadInput
from arena.cli.run.ending import program
from arena.human.game import UNFINISHED, End, EngineMove, EngineSession, HumanGame
from arena.human.game_file import GameFile, check_new_file
from arena.play.adjudication import SIDES
from arena.play.evidence import evidence
from protocol.faults import EngineFault, Scene
from results.record import Termination
from results.safe_text import harmless

if TYPE_CHECKING:
    from arena.rulebook.board_drawing import Lang

Ask = Callable[[str, int | None], str | None]
"""Shows a prompt and gives the line typed within so many ns, None at the end of the input. Raises TimeoutError."""

_HELP = (
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
_WHY = {
    Termination.LINE: "a line stood after the reply",
    Termination.NO_TURN: "the other side has no complete turn",
    Termination.KING_ESCAPED: "the king escaped",
    Termination.KING_CAPTURED: "the king is captured",
    Termination.NO_MOVE: "the other side has no legal move",
    Termination.REPETITION: "the position occurred three times",
    Termination.DRAW_AGREED: "both agreed",
}
"""What people read for the end of a game. Other ends are told by their own words."""
_BETWEEN_SQUARES = re.compile(r"[\s,;:/>=-]+")
"""What people write between the squares of a move. No `x`: it is a file of a large board."""
_SQUARE = re.compile(r"[a-z]\d")
_MOST_WORDS = 60
"""At most so many moves are listed."""
_LONGEST_LINE = 8
"""A hint shows at most so many moves of the engine's line."""
_MOST_STDERR = 5
"""Lines of a broken engine's stderr that are shown."""


class Opponent(NamedTuple):
    """A running engine."""

    name: str
    asked: str
    """How the user named it."""
    session: EngineSession
    end: Callable[[], Scene]
    """Ends its process after a fault, and gives what it left behind."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the board and the rules are shown."""

    ascii_only: bool = False
    lang: "Lang" = "en"


@dataclass(slots=True)
class Company:
    """The engines of a sitting."""

    start: Callable[[str], Opponent]
    """Starts an engine that a person names. Raises what `errors.ending` knows, and EngineFault."""
    opponent: Opponent | None = None
    hint_engine: str | None = None
    """The engine that gives hints; None where the opponent does."""
    hinter: Opponent | None = None


class Sitting:
    """One game from its start, or from where it was saved, to its end."""

    def __init__(
        self, game: HumanGame, names: tuple[str, str], company: Company, file: GameFile, look: Look, ask: Ask
    ) -> None:
        """`names` are those of p1 and p2 in the record."""
        self._game = game
        self._names = list(names)
        self._company = company
        self._file = file
        self._look = look
        self._ask = ask
        self._warned = False
        self._begun = tuple(game.game.moves)
        self._written = False
        self._alone = len(game.people) == 1

    def run(self, typing: bool) -> None:
        """Play to the end. `typing` tells whether a person types at a terminal, who can be asked what to do."""
        if self._game.game.moves:
            output.echo_sentence(f"the game goes on after ply {len(self._game.game.moves)}")
        else:
            self._tell_rules()
        self._draw()
        output.echo_sentence(f"{self._who()}`help` lists what you can type.")
        try:
            end = self._play()
        except KeyboardInterrupt:
            output.echo()
            self._tell_file(UNFINISHED)
            if self._file.path is None and self._game.game.moves:
                self._tell_lost()
            raise
        self._tell_end(end)
        # A finished game that was only looked at stays as it was.
        if end is not UNFINISHED or tuple(self._game.game.moves) != self._begun:
            self._save(end)
        if self._file.path is None and self._game.game.moves:
            if end is UNFINISHED:
                self._tell_lost()
            elif typing:
                self._ask_to_save(end)
        self._tell_file(end)

    def _play(self) -> End:
        end: End | None = None
        while end is None and self._game.outcome is None:
            if self._game.turn in self._game.people:
                end = self._persons_turn()
            elif self._company.opponent is None:
                end = self._without_engine(UNFINISHED)
            else:
                end = self._engines_turn(self._company.opponent)
            if end is None:
                self._save(UNFINISHED)
                self._draw()
                self._tell_check()
        return end or self._game.end()

    # The turns

    def _engines_turn(self, engine: Opponent) -> End | None:
        side = self._game.turn
        try:
            answer = self._game.reply()
        except EngineFault as broken:
            scene = self._tell_fault(engine, broken, "loses")
            self._company.opponent = None
            end = End(SIDES[1 - side], Termination(broken.fault.value), broken.detail, evidence(side, broken, scene))
            return self._without_engine(end)
        if answer.word == "resign":
            return End(SIDES[1 - side], Termination.RESIGNATION)
        left_ns = self._game.left_ns(side)
        said = [f"{answer.think_ns / 1e9:.1f} s", *_figures(answer)]
        said += [] if left_ns is None else [f"{_clock(left_ns)} left"]
        output.echo_sentence(f"{engine.name} plays {answer.word} ({', '.join(said)})")
        return None

    def _without_engine(self, end: End) -> End | None:
        """The engine is gone: another one, a move taken back, or the end that the fault gives the game."""
        output.echo_sentence("`engine NAME` lets another engine play on; `undo`, `save FILE` and `quit` do as always.")
        while True:
            typed = self._ask("the engine is gone: ", None)
            if typed is None:
                return end
            word, _, rest = typed.strip().partition(" ")
            match word.lower():
                case "quit" | "exit" | "resign":
                    return end
                case "engine":
                    if self._change_engine(rest.strip()):
                        return None
                case "undo":
                    if self._undo():
                        return None
                case "save":
                    self._save_as(rest.strip(), end)
                case "board":
                    self._draw()
                case "":
                    continue
                case _:
                    output.echo_sentence("type `engine NAME`, `undo`, `save FILE`, `board` or `quit`")

    def _persons_turn(self) -> End | None:
        """Ask until a move was made or taken back. The end, where the person leaves or loses."""
        began_ns = time.monotonic_ns()
        side = self._game.turn
        while True:
            left_ns = self._game.left_ns(side)
            rest_ns = None if left_ns is None else left_ns - (time.monotonic_ns() - began_ns)
            try:
                typed = self._ask(self._prompt(rest_ns), rest_ns)
            except TimeoutError:
                output.echo()
                return End(SIDES[1 - side], Termination.TIME, "the clock ran out")
            if typed is None:
                return UNFINISHED
            word, _, rest = typed.strip().partition(" ")
            match word.lower():
                case "quit" | "exit":
                    if self._may_leave():
                        return UNFINISHED
                case "resign":
                    return End(SIDES[1 - side], Termination.RESIGNATION)
                case "draw":
                    if self._alone or not self._game.game.rules.draws:
                        output.echo("there are no draws by agreement in this game")
                    elif self._agreed(1 - side):
                        return End("draw", Termination.DRAW_AGREED)
                case "undo":
                    if self._undo():
                        return None
                case "engine":
                    self._change_engine(rest.strip())
                case "save":
                    self._save_as(rest.strip(), UNFINISHED)
                case "board":
                    self._draw()
                case "rules":
                    self._tell_rules()
                case "moves":
                    self._list_moves("")
                case "hint" | "hints":
                    self._hint()
                case "help" | "?":
                    undone = "your last move and the answer to it" if self._alone else "the last move"
                    self._tell_help(self._game.legal_words()[0], undone)
                case "":
                    continue
                case _:
                    if self._move(typed.strip(), began_ns):
                        return None

    def _agreed(self, side: int) -> bool:
        """Ask the other person, who sits at the same keyboard, whether a draw is agreed."""
        typed = self._ask(f"{self._side_name(side)}: do you agree to a draw? y or n: ", None)
        if (typed or "").strip().lower() in ("y", "yes", "draw"):
            return True
        output.echo("no draw: the game goes on")
        return False

    def _move(self, typed: str, began_ns: int) -> bool:
        """Play what was typed, `E4 - C3, C5` as well as e4c3c5. False where it is no legal move, which is told."""
        from arena.games.rules import IllegalMove

        word = _BETWEEN_SQUARES.sub("", typed.lower())
        try:
            self._game.play(word, time.monotonic_ns() - began_ns)
        except IllegalMove:
            if self._game.legal_words(word):
                self._list_moves(word)
            elif _SQUARE.match(word):
                output.echo_sentence(f"{typed} is no legal move; `moves` lists them")
            else:
                output.echo_sentence(f"{typed} is no move and no command; `help` lists what you can type")
            return False
        return True

    def _undo(self) -> bool:
        taken = self._game.undo()
        plies = "1 ply" if taken == 1 else f"{taken} plies"
        output.echo_sentence(f"{plies} taken back" if taken else "there is no move of yours to take back")
        return taken > 0

    def _list_moves(self, start: str) -> None:
        fitting = self._game.legal_words(start)
        rest = f" and {len(fitting) - _MOST_WORDS} more" if len(fitting) > _MOST_WORDS else ""
        output.echo_sentence(" ".join(fitting[:_MOST_WORDS]) + rest)

    # Engines

    def _change_engine(self, name: str) -> bool:
        if not self._alone:
            output.echo_sentence("two people play: there is no engine to change")
            return False
        if not name:
            output.echo_sentence("write `engine` and a name, such as: engine greedy")
            return False
        engine = self._started(name)
        if engine is None:
            return False
        before, self._company.opponent = self._company.opponent, engine
        if before is not None:
            before.end()
        self._game.replace_engine(engine.session)
        (person,) = self._game.people
        self._names[1 - person] = engine.name
        output.echo_sentence(f"{engine.name} plays on")
        return True

    def _started(self, name: str) -> Opponent | None:
        """The engine, or None after a sentence about why it cannot play."""
        try:
            return self._company.start(name)
        except EngineFault as broken:
            output.echo_sentence(f"{name} cannot play: {broken.fault.value} ({broken.detail})")
        except Exception as error:
            known = errors.ending(error)
            if known is None:
                raise
            output.echo_sentence(known[1])
        return None

    def _hint(self) -> None:
        company = self._company
        if company.hint_engine is not None and company.hinter is None:
            company.hinter = self._started(company.hint_engine)
        engine = company.hinter if company.hint_engine is not None else company.opponent
        if engine is None:
            output.echo_sentence("no engine gives hints here; begin with --hint-engine alphabeta, and it does")
            return
        try:
            found = self._game.hint(engine.session)
        except EngineFault as broken:
            self._tell_fault(engine, broken, "has no hint")
            if engine is company.hinter:
                company.hinter = None
            else:
                company.opponent = None
            return
        if found.word == "resign":
            output.echo_sentence(f"{engine.name} would resign")
            return
        said = _figures(found)
        if len(found.line) > 1:
            more = " ..." if len(found.line) > _LONGEST_LINE else ""
            said.append(f"line {' '.join(found.line[:_LONGEST_LINE])}{more}")
        output.echo_sentence(f"{engine.name} would play {found.word}" + (f" ({', '.join(said)})" if said else ""))

    def _tell_fault(self, engine: Opponent, broken: EngineFault, what: str) -> Scene:
        scene = engine.end()
        output.echo_sentence(f"{engine.name} {what}: {broken.fault.value} ({broken.detail}); {scene.exit}")
        for line in scene.stderr.splitlines()[-_MOST_STDERR:]:
            output.echo(f"  stderr: {line}")
        return scene

    # Files

    def _may_leave(self) -> bool:
        """Leaving loses a game that is not kept: the first time that is said."""
        if self._file.path is not None or self._warned or not self._game.game.moves:
            return True
        self._warned = True
        output.echo_sentence("the game is not saved: `save FILE` keeps it, `quit` again leaves without it")
        return False

    def _save_as(self, name: str, end: End) -> None:
        if name:
            path = Path(name).expanduser()
            try:
                check_new_file(path, "save")
            except BadInput as refused:
                output.echo_sentence(str(refused))
                return
            self._file.path = path
        elif self._file.path is None:
            output.echo_sentence("write `save` and a file's name, such as: save game.jsonl")
            return
        if self._save(end):
            output.echo_sentence(f"saved in {self._file.path}, which is kept up to date from now on")

    def _save(self, end: End) -> bool:
        """Write the game to its file, if it has one. False after a sentence about why that failed."""
        names = self._names[0], self._names[1]
        try:
            self._file.write(self._game.record(names, self._file.game_id, self._file.started_at, end))
        except Exception as error:
            known = errors.ending(error)
            if known is None:
                raise
            output.echo_sentence(f"the game cannot be saved: {known[1]}")
            self._file.path = None
            return False
        self._written = self._file.path is not None
        return True

    def _ask_to_save(self, end: End) -> None:
        while self._file.path is None:
            typed = self._ask("`save FILE` keeps the game, Enter leaves: ", None)
            word, _, rest = (typed or "").strip().partition(" ")
            match word.lower():
                case "" | "quit" | "exit":
                    return
                case "save":
                    self._save_as(rest.strip(), end)
                case _:
                    output.echo_sentence("write `save` and a file's name, such as: save game.jsonl")

    def _tell_lost(self) -> None:
        output.echo_sentence(f"the game is not saved; its moves: {' '.join(self._game.game.moves)}")

    def _tell_file(self, end: End) -> None:
        if self._file.path is None or not self._written:
            return
        name, arena = shlex.quote(str(self._file.path)), program()
        if end is UNFINISHED:
            engine = self._company.opponent
            # An engine that is not registered is not found by its name in the record.
            who = "" if engine is None else f"{shlex.quote(engine.asked)} "
            output.echo(f"the game is saved: {arena} play {who}--resume {name}")
        else:
            output.echo(f"the game is saved: {arena} import {name} --into games.db")

    # What is shown

    def _tell_end(self, end: End) -> None:
        if end is UNFINISHED:
            return
        if end.winner == "draw":
            text = f"a draw: {_WHY.get(end.termination, end.termination)}"
        else:
            winner = 0 if end.winner == "p1" else 1
            who = self._called(winner)
            win = "you win" if who == "you" else f"{who} wins"
            match end.termination:
                case Termination.RESIGNATION:
                    loser = self._called(1 - winner)
                    text = f"{win}: you resigned" if loser == "you" else f"{loser} resigns: {win}"
                case Termination.TIME if 1 - winner in self._game.people:
                    loser = self._called(1 - winner)
                    text = f"{'your time' if loser == 'you' else f'the time of {loser}'} is up: {win}"
                case termination:
                    text = f"{win}: {_WHY.get(termination, termination)}"
        output.echo(text)
        if self._game.outcome is not None:
            output.echo_sentence(f"the game: {' '.join(self._game.game.moves)}")

    def _called(self, side: int) -> str:
        """How a player is called: an engine by its name, the only person `you`, one of two people by his side."""
        if side not in self._game.people:
            return self._names[side]
        return "you" if self._alone else f"{SIDES[side]} ({self._side_name(side)})"

    def _side_name(self, side: int) -> str:
        from arena.rulebook.page import side_name

        return side_name(self._game.game.rules, SIDES[side], self._look.lang)

    def _prompt(self, rest_ns: int | None) -> str:
        who = self._side_name(self._game.turn)
        clock = "" if rest_ns is None else f", {_clock(rest_ns)} left"
        turn = self._game.game.position.turn
        return f"{turn}. you ({who}{clock}): " if self._alone else f"{turn}. {who}{clock}: "

    def _who(self) -> str:
        """`You play as White against greedy. `, or nothing where people play each other."""
        if not self._alone:
            return ""
        (person,) = self._game.people
        return f"You play as {self._side_name(person)} against {harmless(self._names[1 - person])}. "

    def _tell_check(self) -> None:
        """Warn the person to move of a line that the other side holds: it wins unless this turn breaks it."""
        from arena.games.decision import lines_to_break

        position = self._game.game.position
        if self._game.outcome is None and (lines := lines_to_break(position)) and self._game.turn in self._game.people:
            holder = self._side_name(1 - self._game.turn)
            output.echo_sentence(f"check: {holder} holds {' and '.join(lines)}, and wins unless this turn breaks it")

    def _tell_rules(self) -> None:
        from arena.rulebook.page import page
        from arena.rulebook.short_rules import short_rules

        rules, lang = self._game.game.rules, self._look.lang
        for text in (page(rules, lang).title, *short_rules(rules, lang, self._game.game.start)):
            output.echo_sentence(text)

    def _tell_help(self, example: str, undone: str) -> None:
        width = 2 + max(len(word) for word, _ in _HELP) + 2
        for word, what in _HELP:
            output.echo_sentence(f"  {word}".ljust(width) + what.format(example=example, undone=undone), width)

    def _draw(self) -> None:
        from arena.rulebook.game_boards import board_of_game

        output.echo()
        signs = output.glyphs(self._look.ascii_only, self._look.lang)
        output.draw(board_of_game(self._game.game), signs, self._look.lang)


def _figures(move: EngineMove) -> list[str]:
    """The depth and the score of a move, in words."""
    said = [f"depth {move.summary.depth}"] * (move.summary.depth is not None)
    return said + [f"score {move.summary.score}"] * (move.summary.score is not None)


def _clock(ns: int) -> str:
    """`4:05`, and tenths in the last twenty seconds."""
    seconds = max(0, ns) / 1e9
    return f"{seconds:.1f} s" if seconds < 20 else f"{int(seconds) // 60}:{int(seconds) % 60:02}"
