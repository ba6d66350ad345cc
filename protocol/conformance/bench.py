"""What a check may use: engines started as a referee starts them, places to search, a judge for what came.

Owns the set-up of an engine for one variant and the few recordings that several checks look at. Refuses to know rules:
legality and results are asked of the judge that was handed in.
"""

import os
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from protocol import grammar
from protocol.conformance.judge import Judge, Line
from protocol.conformance.positions import Book, Place, load, read
from protocol.conformance.subject import Subject
from protocol.conformance.talk import QUIT_MS, Answer, EngineLine, Greeting, Talk
from protocol.conformance.violation import IllegalMove, NotApplicable, Violation
from protocol.containment.watchdog import Watchdog
from protocol.messages import BestMove, MalformedBestMove, OptionLine
from protocol.process import Command

START = Place()
MOVES = (BestMove, MalformedBestMove)
_ENDED = "it has ended: does it say why on its stderr?"
SETTLE_MS = 200
"""How long a started engine is watched before anything is said to it."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a run of the checks was asked for."""

    command: Command
    options: Mapping[str, str]
    """What the engine's registration sets after the handshake."""
    judge: Judge
    slow: float = 1.0
    """Every deadline is multiplied by this."""
    thorough: bool = False


@dataclass(frozen=True, slots=True)
class Contact:
    """The first seconds with an engine. `trouble` is what ended them early, None where nothing did."""

    talk: Talk
    """The dialogue, which is over."""
    early: tuple[EngineLine, ...] = ()
    """What it said before `ugi`."""
    greeting: Greeting | None = None
    dead: str = ""
    """How it ended before it had said a word; empty where it lived."""
    trouble: Violation | None = None


@dataclass(frozen=True, slots=True)
class Ordinary:
    """An ordinary session, from start to quit, as far as it went."""

    talk: Talk
    """The dialogue, which is over."""
    heard: tuple[EngineLine, ...]
    """Every line."""
    answers: tuple[Answer, ...]
    stderr: bytes
    ending: str
    files: tuple[str, ...]
    """What lay in its working directory at the end and not at the start."""


@dataclass
class Lab:
    """What the checks of one run share. Safe to use from several threads."""

    terms: Terms
    variant: str
    """The variant of the checks that are not about one."""
    _talks: list[Talk] = field(default_factory=list)
    _over: bool = False
    _books: dict[str, Book] = field(default_factory=dict)
    _warden: Watchdog = field(default_factory=Watchdog)
    _spawning: threading.Lock = field(default_factory=threading.Lock)
    _recording: threading.RLock = field(default_factory=threading.RLock)

    def start(self, name: str, command: Command | None = None) -> Talk:
        """Start the engine. Raises CannotStart."""
        with self._spawning:
            if self._over:
                raise RuntimeError("an engine was to be started after the end of the run")
            talk = Talk(Subject.launch(command or self.terms.command, self._warden), name, self.terms.slow)
            self._talks.append(talk)
        return talk

    def kill_all(self) -> None:
        """End every engine that was started, and let none be started any more."""
        with self._spawning:
            self._over = True
            for talk in self._talks:
                talk.subject.kill()
            self._talks.clear()

    def release(self, talks: list[Talk]) -> None:
        """End some engines."""
        for talk in talks:
            talk.subject.kill()
        with self._spawning:
            self._talks = [talk for talk in self._talks if talk not in talks]

    def made_book(self, variant: str) -> Book:
        """Golden positions for a variant that has no file of them, made once."""
        with self._recording:
            if variant not in self._books:
                self._books[variant] = read(self.terms.judge.book(variant))
            return self._books[variant]

    @property
    def contact(self) -> Contact:
        """The first contact, made once."""
        with self._recording:
            return self._contact

    @cached_property
    def _contact(self) -> Contact:
        talk = self.start("engine")
        early: list[EngineLine] = []
        try:
            early = talk.drain(SETTLE_MS * max(1.0, self.terms.slow))
            return Contact(talk, tuple(early), talk.greet())
        except Violation as violation:
            status = talk.subject.exit_status()
            # On a busy machine it may take longer than that to start and die.
            dead = "" if status is None or talk.heard_anything else f"{violation}"
            trouble = violation if status is None else Violation(f"{violation}", cause=_ENDED)
            return Contact(talk, tuple(early), None, dead, trouble)
        finally:
            self.release([talk])

    @property
    def ordinary(self) -> Ordinary:
        """An ordinary session, held once."""
        with self._recording:
            return self._ordinary

    @cached_property
    def _ordinary(self) -> Ordinary:
        own = self.terms.command
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(own.box.directory or scratch)
            before = set(folder.iterdir())
            bench = Bench(self, self.variant)
            talk = self.start("engine", Command(own.argv, replace(own.box, directory=str(folder))))
            answers: list[Answer] = []
            ending = ""
            try:
                bench.introduce(talk)
                places = [Place(), *bench.book.places(5), *bench.book.places(3, late=True)]
                for number, place in enumerate(places):
                    talk.place(place)
                    answers.append(talk.go(("movetime 200", "depth 2", "nodes 2000")[number % 3], place))
                    talk.ask("p1turn")
                talk.say("quit")
                talk.exits(QUIT_MS)
            except Violation as violation:
                # What was said until then can be judged; why it ended is for the checks about that.
                ending = f"{violation}"
            ending = ending or talk.subject.kill().text
            self.release([talk])
            files = sorted(str(path.name) for path in set(folder.iterdir()) - before)
        heard = tuple(
            EngineLine(moment.data, grammar.parse(moment.data), moment.at_ns)
            for moment in talk.record
            if moment.direction == "->"
        )
        return Ordinary(talk, heard, tuple(answers), talk.subject.stderr_tail(), ending, tuple(files))


class Bench:
    """One check's view of the run, in one variant. Whatever it starts is ended when the check is."""

    def __init__(self, lab: Lab, variant: str) -> None:
        self.lab = lab
        self.variant = variant
        self.judge = lab.terms.judge
        self.slow = max(1.0, lab.terms.slow)
        """For figures that are judged. Waits may be made shorter than SPEC.md has them, what is right may not."""
        self.talks: list[Talk] = []
        """The engines that were started for this check."""
        self.overheard: list[Talk] = []
        """The dialogues of the whole run that this check looked at."""

    @property
    def dialogues(self) -> tuple[Talk, ...]:
        """What is behind its verdict: the dialogues of its own, or else those that it looked at."""
        return tuple(dict.fromkeys(self.talks or self.overheard))

    # What was heard in dialogues that several checks look at

    @property
    def contact(self) -> Contact:
        """The first contact of the run."""
        self.overheard.append(self.lab.contact.talk)
        return self.lab.contact

    @property
    def ordinary(self) -> Ordinary:
        """The ordinary session of the run."""
        self.overheard.append(self.lab.ordinary.talk)
        return self.lab.ordinary

    # Engines

    def start(self, *, directory: str | None = None, bare: bool = False) -> Talk:
        """Start the engine and say nothing; `bare`: with no environment but PATH and what its registration sets."""
        own = self.lab.terms.command
        argv, box = own.argv, own.box
        if bare:
            kept = {"PATH": os.environ.get("PATH", os.defpath), **box.environment}
            argv = ("env", "-i", *(f"{name}={value}" for name, value in kept.items()), *argv)
        if directory is not None:
            box = replace(box, directory=directory)
        name = "engine" if not self.talks else f"engine-{len(self.talks) + 1}"
        talk = self.lab.start(name, Command(argv, box))
        self.talks.append(talk)
        return talk

    def engine(self, variant: str | None = None) -> Talk:
        """The engine started, greeted, told the variant, ready for a game."""
        talk = self.start()
        self.introduce(talk, variant)
        return talk

    def introduce(self, talk: Talk, variant: str | None = None) -> Greeting:
        """Handshake, options, variant, new game."""
        greeting = talk.greet()
        for name, value in self.lab.terms.options.items():
            if name.lower() in greeting.options:
                talk.write(grammar.setoption(greeting.options[name.lower()].name, value))
        if (resign := greeting.options.get("ugi_resign")) is not None and "UGI_Resign" not in self.lab.terms.options:
            # A resignation is a fair answer and tells nothing about the moves that the checks are about.
            talk.write(grammar.setoption(resign.name, "false"))
        self.choose(talk, greeting.options, variant or self.variant)
        talk.new_game()
        return greeting

    def choose(self, talk: Talk, options: Mapping[str, OptionLine], variant: str) -> None:
        """Tell the engine which variant comes, where it wants to be told."""
        base, knobs = self.judge.wire(variant)
        value = base
        if (combo := options.get("ugi_variant")) is not None:
            if base not in combo.choices:
                value = self.judge.drawn(combo.choices, variant) or base
            talk.write(grammar.setoption(combo.name, value))
        if (rules := options.get("ugi_rules")) is not None:
            talk.write(grammar.setoption(rules.name, knobs))
        talk.start_fen = None if value == base else self.judge.line(variant).fen

    @property
    def greeting(self) -> Greeting:
        """What the engine said to the first `ugi` of this run. Raises Violation."""
        contact = self.contact
        if contact.greeting is None:
            raise contact.trouble or Violation("it did not greet")
        return contact.greeting

    @property
    def announced(self) -> Mapping[str, OptionLine]:
        """Its options by name in lower case."""
        return self.greeting.options

    def option(self, name: str) -> OptionLine:
        """An option. Raises NotApplicable where the engine did not announce it."""
        option = self.announced.get(name.lower())
        if option is None:
            raise NotApplicable(f"it did not announce {name}")
        return option

    def needs_query(self, word: str) -> None:
        """Raises NotApplicable where the engine did not announce that it answers `query word`."""
        if word not in (self.option("UGI_Queries").default or "").split():
            raise NotApplicable(f"UGI_Queries does not name {word}")

    def variants(self) -> tuple[str, ...]:
        """The variants that it announced and we know, the one of this run first; alone where it has no choice."""
        combo = self.announced.get("ugi_variant")
        others = () if combo is None else tuple(v for v in combo.choices if self.judge.knows(v))
        return (self.variant, *(v for v in others if v != self.variant))

    # Games

    @property
    def book(self) -> Book:
        """The golden positions of the variant."""
        return self.book_of(self.variant)

    def book_of(self, variant: str) -> Book:
        """The golden positions of any variant."""
        return load(variant) or self.lab.made_book(variant)

    def line(self, place: Place = START, variant: str | None = None) -> Line:
        """A game at a place."""
        return self.judge.line(variant or self.variant, place.fen, place.moves)

    def special(self, about: str) -> list[Place]:
        """The golden positions of one kind. Raises NotApplicable where the variant has none."""
        found = [special.place for special in self.book.about(about)]
        if not found:
            raise NotApplicable(f"{self.variant} has no position of the kind {about!r}")
        return found

    def legal(self, answer: Answer, variant: str | None = None) -> str:
        """The canonical word of a bestmove. Raises IllegalMove where it is not legal where it was asked for."""
        line = self.line(answer.place, variant)
        word = answer.word
        canonical = line.canonical(word)
        if canonical is None:
            known = self.judge.wellformed(variant or self.variant, word)
            what = "is not legal" if known else "is no word of the move grammar and not legal"
            raise IllegalMove(f"`bestmove {word}` {what} in {line.fen} (after `go {answer.limit}`)")
        return canonical

    def move(self, talk: Talk, limit: str, place: Place = START, variant: str | None = None) -> Answer:
        """Set a place up, get ready, search, judge the move."""
        talk.place(place)
        answer = talk.go(limit, place)
        self.legal(answer, variant)
        return answer

    def endless(self, talk: Talk, ms: float, *, minor: bool = False) -> None:
        """Begin a search without a limit and let it go on so long. Raises Violation where it ends by itself."""
        talk.place(START)
        talk.say("go infinite")
        ended = count(talk.drain(ms), MOVES)
        cause = "`infinite` is not known, or is taken for a short search"
        require(not ended, "its bestmove came before the `stop`", minor=minor, cause=cause)

    def lives(self, talk: Talk) -> None:
        """After whatever was done to it: it is ready, searches and gives a legal move. Raises Violation."""
        self.move(talk, "nodes 100")

    def many(self, usual: int, thorough: int) -> int:
        """How often to repeat."""
        return thorough if self.lab.terms.thorough else usual


def require(holds: bool, text: str, *, minor: bool = False, cause: str = "") -> None:
    """Raise Violation with the text where something does not hold."""
    if not holds:
        raise Violation(text, minor=minor, cause=cause)


def count(heard: list[EngineLine] | tuple[EngineLine, ...], kind: type | tuple[type, ...]) -> int:
    """How many lines are of a kind."""
    return sum(isinstance(each.message, kind) for each in heard)


def pause(ms: float) -> None:
    """Let time pass that the check is about."""
    with suppress(InterruptedError):
        time.sleep(ms / 1000)
