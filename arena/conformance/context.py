"""What a check may use: engines started as a referee starts them, positions to search, and the rules."""

import os
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from arena.conformance.checked_engine import QUIT_MS, CheckedEngine, EngineLine, Greeting, SearchAnswer
from arena.conformance.judge.golden import GAMES, book_of_games
from arena.conformance.judge.positions import GamePosition, GoldenBook, load, read
from arena.conformance.subject import ProbedProcess
from arena.conformance.violation import LEGALITY, SPELLING, IllegalAnswer, NotApplicable, Violation
from arena.games.game import Game
from arena.games.game_words import canonical_word
from arena.games.illegal import why_illegal
from arena.games.line import played
from arena.games.variants import announced_as, find, is_variant
from protocol import grammar
from protocol.containment import scratch
from protocol.containment.policy import Level
from protocol.messages import BestMove, MalformedBestMove, OptionLine
from protocol.process import Command

START = GamePosition()
MOVES = (BestMove, MalformedBestMove)
_ENDED = "it has ended: does it say why on its stderr?"
SETTLE_MS = 200
"""How long a check waits after the start before it sends anything."""
_LOOKS, _LOOK_MS = 40, 50
"""So often it looks after that whether the engine is still busy with its start, until it sleeps at two of the looks."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """The settings of one run of the checks."""

    command: Command
    options: Mapping[str, str]
    """The options that the engine's registration sets after the handshake."""
    slow: float = 1.0
    """A factor for every deadline."""
    thorough: bool = False
    seed: int = 1
    """The seed of the random positions of check F10."""
    fuzz_s: float | None = None
    """How long check F10 runs in each variant; None is a fixed number of cases."""


@dataclass(frozen=True, slots=True)
class FirstContact:
    """The start and handshake of an engine. `trouble` is what ended them early, None if nothing did."""

    engine: CheckedEngine
    """The engine, which has ended."""
    early: tuple[EngineLine, ...] = ()
    """The lines that came before `ugi` was sent."""
    greeting: Greeting | None = None
    dead: str = ""
    """How the engine ended before its first line; empty if it did not."""
    trouble: Violation | None = None


@dataclass(frozen=True, slots=True)
class OrdinarySession:
    """An ordinary session from start to quit, as far as it went."""

    engine: CheckedEngine
    """The engine, which has ended."""
    lines: tuple[EngineLine, ...]
    """Every line from the engine."""
    answers: tuple[SearchAnswer, ...]
    stderr: bytes
    ending: str
    files: tuple[str, ...]
    """The files that the session added to its working directory."""


@dataclass
class CheckRun:
    """What the checks of one run share. Thread-safe."""

    settings: CheckSettings
    variant: str
    """The variant for the checks that are not about rules."""
    _engines: list[CheckedEngine] = field(default_factory=list)
    _over: bool = False
    _books: dict[str, GoldenBook] = field(default_factory=dict)
    _spawning: threading.Lock = field(default_factory=threading.Lock)
    _recording: threading.RLock = field(default_factory=threading.RLock)

    def start(self, name: str, command: Command | None = None) -> CheckedEngine:
        """Start the engine. Raises CannotStart."""
        with self._spawning:
            if self._over:
                raise RuntimeError("an engine was to be started after the end of the run")
            engine = CheckedEngine(ProbedProcess.launch(command or self.settings.command), name, self.settings.slow)
            self._engines.append(engine)
        return engine

    def kill_all(self, *, reap: bool = True) -> None:
        """End every engine, and refuse to start more. Without `reap` the threads that talk to them notice the end."""
        with self._spawning:
            self._over = True
            for engine in self._engines:
                (engine.subject.kill if reap else engine.subject.send_sigkill)()

    def release(self, engines: list[CheckedEngine]) -> None:
        """End some engines."""
        for engine in engines:
            engine.subject.kill()
        with self._spawning:
            self._engines = [engine for engine in self._engines if engine not in engines]

    def made_book(self, variant: str) -> GoldenBook:
        """The games of a variant without golden positions, made once. Only the variants of the run need many."""
        with self._recording:
            if variant not in self._books:
                self._books[variant] = read(book_of_games(variant, 4 * GAMES if variant == self.variant else 1))
            return self._books[variant]

    @property
    def contact(self) -> FirstContact:
        """The first contact, recorded once."""
        with self._recording:
            return self._contact

    @cached_property
    def _contact(self) -> FirstContact:
        engine = self.start("engine")
        early: list[EngineLine] = []
        try:
            early = engine.drain(SETTLE_MS * max(1.0, self.settings.slow))
            quiet = 0
            for _ in range(_LOOKS):
                # On a busy machine it may not have got so far yet that it could say anything.
                quiet = quiet + 1 if engine.subject.asleep() else 0
                if quiet == 2:
                    break
                early += engine.drain(_LOOK_MS)
            return FirstContact(engine, tuple(early), engine.handshake())
        except Violation as violation:
            status = engine.subject.exit_status()
            # On a busy machine an engine may take longer than SETTLE_MS to start and die.
            dead = "" if status is None or engine.said_anything else f"{violation}"
            trouble = violation if status is None else Violation(f"{violation}", cause=_ENDED)
            return FirstContact(engine, tuple(early), None, dead, trouble)
        finally:
            self.release([engine])

    @property
    def ordinary(self) -> OrdinarySession:
        """The ordinary session, recorded once."""
        with self._recording:
            return self._ordinary

    @cached_property
    def _ordinary(self) -> OrdinarySession:
        own = self.settings.command
        with scratch.folder("check") as empty:
            command, folder = own, None
            if own.policy.level is Level.NONE or own.policy.directory is not None:
                folder = Path(own.policy.directory or empty)
                command = Command(own.argv, replace(own.policy, directory=str(folder)))
            before = set() if folder is None else set(folder.iterdir())
            ctx = CheckContext(self, self.variant)
            engine = self.start("engine", command)
            answers: list[SearchAnswer] = []
            ending = ""
            try:
                ctx.set_up(engine)
                positions = [GamePosition(), *ctx.book.positions(5), *ctx.book.positions(3, late=True)]
                for number, position in enumerate(positions):
                    answers.append(engine.search(position, ("movetime 200", "depth 2", "nodes 2000")[number % 3]))
                    engine.ask("p1turn")
                engine.send("quit")
                engine.wait_exit(QUIT_MS)
            except Violation as violation:
                # The lines until then can be judged; other checks find out why it ended.
                ending = f"{violation}"
            files = _written(engine.subject.box.scratch) if folder is None else []
            ending = ending or engine.subject.kill().text
            self.release([engine])
            if folder is not None:
                files = sorted(path.name for path in set(folder.iterdir()) - before)
        lines = tuple(
            EngineLine(entry.data, grammar.parse(entry.data), entry.at_ns)
            for entry in engine.record
            if entry.direction == "->"
        )
        return OrdinarySession(engine, lines, tuple(answers), engine.subject.stderr_tail(), ending, tuple(files))


def _written(scratch_folder: str | None) -> list[str]:
    """The files that a contained engine has put into its scratch folder, which is its working directory as in games.

    It is its home and its folder for temporary files, too. So hidden files and folders may stay: they are caches.
    """
    if scratch_folder is None:
        return []
    with suppress(OSError), os.scandir(scratch_folder) as entries:
        return sorted(entry.name for entry in entries if entry.is_file() and not entry.name.startswith("."))
    return []


class CheckContext:
    """One check in one variant. Every engine that it starts is ended with the check."""

    def __init__(self, check_run: CheckRun, variant: str) -> None:
        self.check_run = check_run
        self.variant = variant
        self.rules = find(variant)
        self.slow = max(1.0, check_run.settings.slow)
        """A factor for judged figures, at least 1. Waits may be shorter than SPEC.md says, judged figures may not."""
        self.engines: list[CheckedEngine] = []
        """The engines that this check started."""
        self.recordings: list[CheckedEngine] = []
        """The shared recordings that this check used."""

    @property
    def dialogues(self) -> tuple[CheckedEngine, ...]:
        """The dialogues that led to its verdict: its own, or else the recordings that it used."""
        return tuple(dict.fromkeys(self.engines or self.recordings))

    # Recordings that several checks use

    @property
    def contact(self) -> FirstContact:
        """The first contact of this run."""
        self.recordings.append(self.check_run.contact.engine)
        return self.check_run.contact

    @property
    def ordinary(self) -> OrdinarySession:
        """The ordinary session of this run."""
        self.recordings.append(self.check_run.ordinary.engine)
        return self.check_run.ordinary

    # Engines

    def start(self, *, directory: str | None = None, bare: bool = False) -> CheckedEngine:
        """Start the engine and send nothing. `bare`: its environment is PATH and what its registration sets."""
        own = self.check_run.settings.command
        argv, policy = own.argv, own.policy
        if bare:
            environment = {"PATH": os.environ.get("PATH", os.defpath), **policy.environment}
            argv = ("env", "-i", *(f"{name}={value}" for name, value in environment.items()), *argv)
        if directory is not None:
            policy = replace(policy, directory=directory)
        name = "engine" if not self.engines else f"engine-{len(self.engines) + 1}"
        engine = self.check_run.start(name, Command(argv, policy))
        self.engines.append(engine)
        return engine

    def new_engine(self, variant: str | None = None) -> CheckedEngine:
        """Start the engine and set it up for a game."""
        engine = self.start()
        self.set_up(engine, variant)
        return engine

    def set_up(self, engine: CheckedEngine, variant: str | None = None) -> Greeting:
        """Handshake, options, variant, new game."""
        greeting = engine.handshake()
        for name, value in self.check_run.settings.options.items():
            if name.lower() in greeting.options:
                engine.send_bytes(grammar.set_as_asked(greeting.options[name.lower()], value))
        resign = greeting.options.get("ugi_resign")
        if resign is not None and "UGI_Resign" not in self.check_run.settings.options:
            # A resignation is a correct answer, but the checks need moves.
            engine.send_bytes(grammar.setoption(resign.name, "false"))
        self.begin(engine, variant or self.variant, greeting.options)
        return greeting

    def begin(self, engine: CheckedEngine, variant: str, options: Mapping[str, OptionLine] | None = None) -> None:
        """Set the engine's variant and then send `uginewgame`, which comes after the options of a game (4.2)."""
        self.set_variant(engine, variant, options)
        engine.new_game()

    def set_variant(self, engine: CheckedEngine, variant: str, options: Mapping[str, OptionLine] | None = None) -> None:
        """Set the engine's variant, if it has options for it; they are those of the first contact if none are given."""
        options = self.announced if options is None else options
        rules = find(variant)
        value = rules.base
        if (combo := options.get("ugi_variant")) is not None:
            value = announced_as(rules, combo.choices) or rules.base
            engine.send_bytes(grammar.setoption(combo.name, value))
        if (changed := options.get("ugi_rules")) is not None:
            engine.send_bytes(grammar.setoption(changed.name, rules.changed_options))
        start = played(variant).position.fen()
        engine.start_fen = None if value == rules.base and start == played(rules.base).position.fen() else start

    @property
    def greeting(self) -> Greeting:
        """The engine's reply to the first `ugi` of this run. Raises Violation if it did not answer."""
        contact = self.contact
        if contact.greeting is None:
            raise contact.trouble or Violation("it did not greet")
        return contact.greeting

    @property
    def announced(self) -> Mapping[str, OptionLine]:
        """The announced options by name in lower case."""
        return self.greeting.options

    def option(self, name: str) -> OptionLine:
        """An announced option. Raises NotApplicable if the engine did not announce it."""
        option = self.announced.get(name.lower())
        if option is None:
            raise NotApplicable(f"it did not announce {name}")
        return option

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries that it announced beyond UGI's three."""
        option = self.announced.get("ugi_queries")
        return () if option is None else tuple((option.default or "").split())

    def require_query(self, word: str) -> None:
        """Raise NotApplicable if the engine did not announce that it answers `query word`."""
        self.option("UGI_Queries")
        applies(word in self.queries, f"UGI_Queries does not name {word}")

    def variants(self) -> tuple[str, ...]:
        """The announced variants that we know, the variant of this check first."""
        combo = self.announced.get("ugi_variant")
        others = () if combo is None else tuple(v for v in combo.choices if is_variant(v))
        return (self.variant, *(v for v in others if v != self.variant))

    # Games

    @property
    def book(self) -> GoldenBook:
        """The golden positions of this variant."""
        return self.book_of(self.variant)

    def book_of(self, variant: str) -> GoldenBook:
        """The golden positions of any variant."""
        return load(variant) or self.check_run.made_book(variant)

    def line(self, position: GamePosition = START, variant: str | None = None) -> Game:
        """The line of play that leads to a position."""
        return played(variant or self.variant, position.fen, position.moves)

    def special_positions(self, *kinds: str) -> list[GamePosition]:
        """The golden positions of some kinds. Raises NotApplicable if the variant has none."""
        positions = [special.position for about in kinds for special in self.book.about(about)]
        applies(positions, f"{self.variant} has no position of the kind {' or '.join(map(repr, kinds))}")
        return positions

    def legal(self, answer: SearchAnswer, variant: str | None = None) -> str:
        """The canonical word of a bestmove. Raises IllegalAnswer if the move is not legal in its position."""
        line = self.line(answer.position, variant)
        word = answer.word
        canonical = canonical_word(line, word)
        if canonical is None:
            # Who says that there is no move has spelt nothing wrong: by its rules the game is over.
            wellformed = word in grammar.NO_MOVES or find(variant or self.variant).wellformed(word)
            what = "is not legal" if wellformed else "is no word of the move grammar and not legal"
            where = f"in {line.position.fen()} (after `go {answer.limit}`)"
            raise IllegalAnswer(
                f"`bestmove {word}` {what} {where}: {why_illegal(line, word)}",
                answer.position,
                variant or self.variant,
                LEGALITY if wellformed else SPELLING,
            )
        return canonical

    def moves(
        self, engine: CheckedEngine, limit: str, positions: Iterable[GamePosition], variant: str | None = None
    ) -> list[SearchAnswer]:
        """Set some positions up, search each, and check that the moves are legal."""
        return [self.move(engine, limit, position, variant) for position in positions]

    def move(
        self, engine: CheckedEngine, limit: str, position: GamePosition = START, variant: str | None = None
    ) -> SearchAnswer:
        """Set a position up, search it, and check that the move is legal."""
        answer = engine.search(position, limit)
        self.legal(answer, variant)
        return answer

    def start_lasting(self, engine: CheckedEngine, ms: float) -> str:
        """Start a search that lasts for `ms`; its limit. Raises NotApplicable if every search ends by itself before."""
        for limit in ("infinite", "movetime 20000", "nodes 1000000000"):
            engine.set_position(START)
            engine.send(f"go {limit}")
            if not count(engine.drain(ms), MOVES):
                return limit
        raise NotApplicable(f"none of its searches lasts {ms:.0f} ms")

    def set_up_lasting(self, engine: CheckedEngine, ms: float) -> str:
        """The limit of a search that lasts for `ms` until it is stopped, with the start set up once more.

        Empty if every search ends by itself before.
        """
        try:
            limit = self.start_lasting(engine, ms)
        except NotApplicable:
            return ""
        self.legal(engine.stop(limit, START))
        engine.set_position(START)
        return limit

    def require_alive(self, engine: CheckedEngine) -> None:
        """Raise Violation unless the engine still gets ready, searches and gives a legal move."""
        self.move(engine, "nodes 100")

    def repeats(self, usual: int, thorough: int) -> int:
        """How often to repeat something: `thorough` times in a thorough run, else `usual` times."""
        return thorough if self.check_run.settings.thorough else usual


def require(holds: bool, text: str, *, minor: bool = False, cause: str = "") -> None:
    """Raise Violation with the text if the condition does not hold."""
    if not holds:
        raise Violation(text, minor=minor, cause=cause)


def applies(holds: object, text: str) -> None:
    """Raise NotApplicable with the text if the condition does not hold."""
    if not holds:
        raise NotApplicable(text)


def count(lines: list[EngineLine] | tuple[EngineLine, ...], kind: type | tuple[type, ...]) -> int:
    """The number of messages of a kind."""
    return sum(isinstance(each.message, kind) for each in lines)


def pause(ms: float) -> None:
    """Let time pass, if that is part of the check."""
    time.sleep(ms / 1000)
