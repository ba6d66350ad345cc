"""The author's side: write a class with a `search` method, and `run` speaks the protocol for it.

    from random import choice

    from arena.games.game import Game
    from arena.games.variants import resolve
    from protocol.engine import Engine, Root, Search, run

    class Mine(Engine):
        name, author, variants = "Mine", "A. Author", ("callanish-7", "scottish")

        def search(self, root: Root, search: Search) -> str:
            game = Game(*resolve(root.variant, root.rules, root.fen))
            for word in root.moves:
                game.play(word)
            moves = game.position.legal_moves()
            return choice(moves).text if moves else "0000"

    run(Mine())

Owns the loop over stdin and stdout and the answers that all engines have in common. Independent of games and of time
management, which belongs to `search`. It has one thread and reads input when a search calls `search.stopped()`, so a
search that never calls it cannot be stopped. It writes each line unbuffered to the raw file descriptor: an engine that
also prints to `sys.stdout` must flush it. Imports are few on purpose, see `protocol.commands`.
"""

import os
import select
import time

from protocol import commands
from protocol.commands import Limits as Limits
from protocol.commands import Root as Root

_POLL_NS = 1_000_000
"""The shortest time between two reads of the input in a search."""


class Option:
    """An option to announce. `type` is check, spin, combo, button or string. Values are text."""

    __slots__ = ("choices", "default", "max", "min", "name", "type")

    def __init__(
        self,
        name: str,
        type: str,
        default: str = "",
        min: int | None = None,
        max: int | None = None,
        choices: tuple[str, ...] = (),
    ) -> None:
        self.name, self.type, self.default = name, type, default
        self.min, self.max, self.choices = min, max, choices

    def line(self) -> str:
        """The line that announces it."""
        text = f"option name {self.name} type {self.type}"
        if self.type != "button":
            text += f" default {self.default or '<empty>'}"
        if self.type == "spin":
            text += "" if self.min is None else f" min {self.min}"
            text += "" if self.max is None else f" max {self.max}"
        return text + "".join(f" var {choice}" for choice in self.choices)

    def value(self, text: str | None) -> str:
        """The value of `text` in its canonical spelling. Raises ValueError with a sentence."""
        if self.type == "button":
            return ""
        if text is None:
            raise ValueError(f"option {self.name} needs a value")
        if self.type == "spin":
            number, low, high = commands.integer(text), self.min, self.max
            if number is None or (low is not None and number < low) or (high is not None and number > high):
                raise ValueError(f"option {self.name} takes a whole number from {low} to {high}, not {text!r}")
            return str(number)
        allowed = ("true", "false") if self.type == "check" else self.choices
        if self.type in ("check", "combo"):
            for choice in allowed:
                if choice.lower() == text.lower():
                    return choice
            raise ValueError(f"option {self.name} takes one of {', '.join(allowed)}, not {text!r}")
        return text


class Search:
    """One search: its limits, and the methods to use while it runs."""

    def __init__(self, limits: Limits, loop: "_Loop") -> None:
        self.limits = limits
        self._loop = loop
        self.start_ns = time.monotonic_ns()
        """When `go` was read, on the monotonic clock."""
        # The first call reads the input, since `stop` may follow `go` directly.
        self._polled_ns = self.start_ns - _POLL_NS
        self._stopped = False
        self.draw_offered = False

    def stopped(self) -> bool:
        """True if the search must stop. It is cheap enough to call at every node; True stays True."""
        if not self._stopped:
            now_ns = time.monotonic_ns()
            if now_ns - self._polled_ns >= _POLL_NS:
                self._polled_ns = now_ns
                self._stopped = self._loop.poll_input()
        return self._stopped

    def elapsed_ms(self) -> float:
        """Milliseconds since `go` was read."""
        return (time.monotonic_ns() - self.start_ns) / 1_000_000

    def info(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        score_cp: int | None = None,
        score_mate: int | None = None,
        time_ms: int | None = None,
        pv: tuple[str, ...] | list[str] = (),
        string: str | None = None,
    ) -> None:
        """Send an info line. Scores are from the mover's side, mate in plies. `time_ms` is measured if not given."""
        text = "" if depth is None else f" depth {depth}"
        if score_cp is not None:
            text += f" score cp {score_cp}"
        elif score_mate is not None:
            text += f" score mate {score_mate}"
        if nodes is not None:
            text += f" nodes {nodes}"
        line = " ".join(pv)
        if text or line or time_ms is not None:
            spent_ms = int(self.elapsed_ms()) if time_ms is None else time_ms
            text += f" time {spent_ms}"
            if nodes is not None and spent_ms > 0:
                text += f" nps {nodes * 1_000 // spent_ms}"
            self._loop.say(f"info{text}{' pv ' if line else ''}{line}")
        if string is not None:
            self._loop.say(f"info string {string}")

    def offer_draw(self) -> None:
        """Offer a draw with this move; only for engines that announce UGI_Draw."""
        self.draw_offered = True


class Engine:
    """The base class of an engine. Only `search` must be overridden."""

    name: str = "unnamed"
    author: str = "unknown"
    version: str = ""
    variants: tuple[str, ...] = ()
    """The variants that it plays, the default first. Announced as UGI_Variant with UGI_Rules, neither if empty."""
    p2_first: tuple[str, ...] = ("sea-battle-11", "tablut-ashton", "tawlbwrdd-bell", "tawlbwrdd-lewis")
    """The variants in which p2 moves first: what `startpos` does not say."""
    options: tuple[Option, ...] = ()
    queries: tuple[str, ...] = ()
    """The queries that `query` answers, such as `gameover` and `legalmoves`. Announced as UGI_Queries."""

    def new_game(self) -> None:
        """A new game starts: clear tables, reset random number generators."""

    def prepare(self, root: Root) -> None:
        """Called at the first `isready` of a new game, with the start of the variant that was told: make tables here.

        A position of its own may follow. No clock runs yet.
        """

    def set_option(self, name: str, value: str) -> None:
        """One of its own `options` was set. The name is as in `options`, the value is valid."""

    def check(self, root: Root) -> None:
        """Called at each position. Raise ValueError with a sentence for an `error` line if it is impossible."""

    def p1_turn(self, root: Root) -> bool:
        """True if p1 is to move: so a search gets its own clock. Override it for a game that writes the side otherwise.

        A position string is taken to have the side to move as its second word, as those of Callanish and tafl have.
        """
        if root.fen is None:
            p1_first = root.variant not in self.p2_first
        else:
            p1_first = root.fen.split()[1:2] != ["p2"]
        return p1_first == (len(root.moves) % 2 == 0)

    def search(self, root: Root, search: Search) -> str:
        """Return the move to play, as text. Raise ValueError for a position that cannot be searched."""
        raise NotImplementedError(f"{type(self).__name__} has no search method")

    def query(self, root: Root, words: tuple[str, ...]) -> str | None:
        """Return the answer to `query words`, or None for no answer. For None, `p1turn` is answered by `p1_turn`."""
        return None

    def game_over(self, text: str) -> None:
        """The game ended with this result, such as `p1win line`. Only for engines that announce UGI_GameOver."""


def run(engine: Engine) -> None:
    """Speak the protocol on stdin and stdout until `quit` or the end of the input."""
    serve(engine, 0, 1)


def serve(engine: Engine, in_fd: int, out_fd: int) -> None:
    """`run` on any two file descriptors. Returns at `quit`, at the end of the input and at a closed output."""
    try:
        _Loop(engine, in_fd, out_fd).run()
    except BrokenPipeError:
        return


class _Loop:
    def __init__(self, engine: Engine, in_fd: int, out_fd: int) -> None:
        self._engine = engine
        self._in, self._out = in_fd, out_fd
        self._poll = select.poll()
        self._poll.register(in_fd, select.POLLIN)
        self._start: list[bytes] = []
        self._lines: list[list[str]] = []
        """The lines that have been read but not handled, as words."""
        self._ended = False
        """True after `quit` or the end of the input."""
        self._stop = False
        self._standard = (
            [Option("UGI_Variant", "combo", engine.variants[0], choices=engine.variants)] if engine.variants else []
        )
        if engine.variants:
            self._standard.append(Option("UGI_Rules", "string"))
        if engine.queries:
            self._standard.append(Option("UGI_Queries", "string", " ".join(engine.queries)))
        self._new_game = False
        self._variant = engine.variants[0] if engine.variants else ""
        self._rules = ""
        self._fen: str | None = None
        self._moves: tuple[str, ...] = ()

    def run(self) -> None:
        while True:
            while self._lines:
                words = self._lines.pop(0)
                if words[0] == "quit":
                    return
                self._handle(words)
            if self._ended:
                return
            self._read()

    def say(self, text: str) -> None:
        """Send one line, in one write if the pipe has room."""
        data = " ".join(text.split()).encode() + b"\n"
        written = os.write(self._out, data)
        while written < len(data):
            written += os.write(self._out, data[written:])

    def poll_input(self) -> bool:
        """In a search: read the available input and answer `isready`. True if the search must stop. Never waits."""
        while not self._ended and self._poll.poll(0):
            self._read()
        self._handle_in_search()
        return self._stop or self._ended

    def _read(self) -> None:
        """Wait for input and split it into lines."""
        chunk = os.read(self._in, 65536)
        if not chunk:
            self._ended = True
            # A last line without a newline is incomplete and does not count.
            return
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            self._start.append(line)
            words = commands.words_of(b"".join(self._start))
            self._start.clear()
            if words:
                self._lines.append(words)
        if rest:
            self._start.append(rest)

    def _handle_in_search(self) -> None:
        """Handle the waiting lines that apply during a search. The others keep their order."""
        waiting: list[list[str]] = []
        for words in self._lines:
            if words[0] == "stop" and not (self._stop and ["go"] in [ahead[:1] for ahead in waiting]):
                # A second `stop` behind a waiting `go` belongs to that `go`.
                self._stop = True
            elif words[0] == "isready" and not waiting and not self._stop:
                self.say("readyok")
            else:
                self._ended = self._ended or words[0] == "quit"
                waiting.append(words)
        self._lines = waiting

    def _handle(self, words: list[str]) -> None:
        keyword, rest = words[0], words[1:]
        if keyword == "ugi":
            self._introduce()
        elif keyword == "isready":
            if self._new_game:
                self._new_game = False
                self._engine.prepare(self._root())
            self.say("readyok")
        elif keyword == "setoption":
            self._set_option(*commands.read_setoption(rest))
        elif keyword == "uginewgame":
            self._fen, self._moves = None, ()
            self._engine.new_game()
            self._new_game = True
        elif keyword == "position":
            self._position(rest)
        elif keyword == "go":
            self._go(rest)
        elif keyword == "query":
            self._query(rest)
        elif keyword == "gameover":
            self._engine.game_over(" ".join(rest))

    def _introduce(self) -> None:
        engine = self._engine
        self.say(f"id name {engine.name}")
        self.say(f"id author {engine.author}")
        if engine.version:
            self.say(f"id version {engine.version}")
        for option in (*self._standard, *engine.options):
            self.say(option.line())
        self.say("ugiok")

    def _set_option(self, name: str, text: str | None) -> None:
        for option in (*self._standard, *self._engine.options):
            if option.name.lower() == name.lower():
                break
        else:
            self.say(f"error there is no option {name!r}")
            return
        try:
            value = option.value(text)
            if option.name in ("UGI_Variant", "UGI_Rules"):
                # The next position is the start of the variant that is told now (SPEC.md 6.7).
                self._fen, self._moves = None, ()
            if option.name == "UGI_Variant":
                self._variant = value
            elif option.name == "UGI_Rules":
                self._rules = value
            elif option.name != "UGI_Queries":
                self._engine.set_option(option.name, value)
        except ValueError as error:
            self.say(f"error {error}")

    def _root(self) -> Root:
        return Root(self._variant, self._rules, self._fen, self._moves)

    def _position(self, words: list[str]) -> None:
        try:
            self._fen, self._moves = commands.read_position(words)
            self._engine.check(self._root())
        except ValueError as error:
            self.say(f"error {error}")

    def _go(self, words: list[str]) -> None:
        root = self._root()
        limits = commands.read_go(words, self._p1_turn(root))
        self._stop = False
        search = Search(limits, self)
        try:
            move = self._engine.search(root, search)
        except ValueError as error:
            self.say(f"error {error}")
            move = "0000"
        while limits.infinite and not self.poll_input():
            self._read()
        if search.draw_offered:
            self.say("offer draw")
        self.say(f"bestmove {move}")

    def _p1_turn(self, root: Root) -> bool:
        try:
            return self._engine.p1_turn(root)
        except ValueError:  # of a position that was refused already
            return True

    def _query(self, words: list[str]) -> None:
        root = self._root()
        try:
            answer = self._engine.query(root, tuple(words))
        except ValueError as error:
            self.say(f"error {error}")
            return
        if answer is None and words == ["p1turn"]:
            answer = "true" if self._p1_turn(root) else "false"
        self.say(f"error cannot answer query {' '.join(words)!r}" if answer is None else f"response {answer}")
