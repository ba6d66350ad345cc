"""A correct engine that moves at random, with a named place for everything that a fault may want to do otherwise.

Owns the order of the dialogue as an engine sees it. Written by hand on raw descriptors, without the project's own
engine library, since a fault needs what a library exists to hide. One thread: input is looked at between slices of a
search, so `stop`, `isready`, `quit` and the end of the input count at any time.

The places: every line goes out through `say` and `write`; each command is one method; `word` gives the move to say,
`plan` how long to think; `reached` is called at each phase of `engines.zoo.settings.PHASES`.
"""

import signal
import time

from arena.games.variants import DEFAULT, names
from engines.zoo.game_state import QUERIES, BadRequest, GameState
from engines.zoo.search import Go, Plan, Search, read_go
from engines.zoo.settings import Phase, Settings
from engines.zoo.wire import Gone, Wire

_SLICE_NS = 2_000_000
_LONGEST_LINE = 100


class Engine:
    """Correct in every clause; `run` is the whole of its life."""

    name = ""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.wire = Wire()
        self.table = GameState()
        self.search: Search | None = None
        self.options = {"UGI_Resign": "true", "UGI_Draw": "true"}
        self.done = False
        self._goes = 0
        self._mid_reached = False
        self._cpu_ns = 0

    def run(self) -> int:
        """Talk until `quit`, the end of the input or of the output. The exit status."""
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            self.start()
            while not self.done:
                line = self.wire.line()
                if line is not None:
                    self.handle(line)
                elif self.wire.ended:
                    self.on_end()
                else:
                    self.listen(self.think())
        except Gone:
            return 0
        return self.status()

    # Out

    def say(self, kind: str, text: str = "") -> None:
        """One line: its first word, and the rest."""
        self.write(f"{kind} {text}".rstrip().encode() + b"\n")

    def write(self, data: bytes) -> None:
        """Bytes to stdout, in one write where it takes them."""
        self.wire.write(data)

    # In

    def listen(self, wait_ms: float | None) -> None:
        """Wait for input, None for as long as it takes."""
        self.wire.listen(wait_ms)
        if self.search is None:
            self._cpu_ns = time.process_time_ns()

    def handle(self, line: str) -> None:
        """One line of input, whatever it holds; words that are unknown are passed over."""
        words = line.split()
        command = words[0] if words else ""
        if self.search is not None and command in ("position", "uginewgame", "go", "setoption", "query"):
            self.finish()
        try:
            match command:
                case "ugi":
                    self.on_ugi()
                case "isready":
                    self.on_isready()
                case "uginewgame":
                    self.on_newgame()
                case "setoption":
                    self.on_setoption(words[1:])
                case "position":
                    self.on_position(words[1:])
                case "go":
                    self.on_go(words[1:])
                case "stop":
                    self.on_stop()
                case "query":
                    self.say("response", self.table.query(words[1:]))
                case "gameover":
                    self.on_gameover(words[1:])
                case "quit":
                    self.on_quit()
        except BadRequest as error:
            self.say("error", str(error))

    def start(self) -> None:
        """Before anything has come: silence."""

    def on_ugi(self) -> None:
        self.reached("handshake")
        self.introduce()
        self.say("ugiok")

    def introduce(self) -> None:
        """Who we are and what can be set."""
        self.say("id", f"name {self.title()}")
        self.say("id", "author Callanish Arena")
        for option in self.announced():
            self.say("option", f"name {option}")

    def title(self) -> str:
        """The name under which we play."""
        return f"zoo {self.name}".rstrip()

    def announced(self) -> list[str]:
        """The options, one text each, as they follow `option name`."""
        variants = " ".join(f"var {name}" for name in names())
        return [
            f"UGI_Variant type combo default {DEFAULT} {variants}",
            "UGI_Rules type string default <empty>",
            "Seed type spin default 0 min 0 max 9223372036854775807",
            f"UGI_Queries type string default {QUERIES}",
            "UGI_Resign type check default true",
            "UGI_Draw type check default true",
            "UGI_GameOver type check default true",
            "UGI_MovesToGo type check default true",
        ]

    def on_isready(self) -> None:
        self.reached("ready")
        self.say("readyok")

    def on_newgame(self) -> None:
        self._goes = 0
        self._mid_reached = False
        self.reached("newgame")

    def on_setoption(self, words: list[str]) -> None:
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
        known = {option.split(" type ")[0].lower(): option.split(" type ")[0] for option in self.announced()}
        option = known.get(name.lower())
        value = "" if value == "<empty>" else value
        match option:
            case "UGI_Variant":
                self.table.set_variant(value)
            case "UGI_Rules":
                self.table.knobs = value
            case "Seed":
                if not (value.isascii() and value.isdigit() and int(value) < 2**63):
                    raise BadRequest(f"Seed takes a whole number from 0 to {2**63 - 1}, not {value or '(nothing)'}")
                self.table.seed = int(value)
            case "UGI_Resign" | "UGI_Draw" | "UGI_GameOver" | "UGI_MovesToGo":
                if value not in ("true", "false"):
                    raise BadRequest(f"{option} takes true or false, not {value or '(nothing)'}")
                self.options[option] = value
            case None:
                raise BadRequest(f"there is no option {name or '(nothing)'}")

    def on_position(self, words: list[str]) -> None:
        if not self.table.set_position(words):
            self._goes = 0
            self._mid_reached = False
        self.reached("position")

    def on_go(self, words: list[str]) -> None:
        game = self.table.current()
        go = read_go(words, game.position.side)
        self._goes += 1
        ply = len(game.moves)
        self.search = Search(go, self.plan(go), time.monotonic_ns(), self._cpu_ns)
        if self._goes == 1:
            self.reached("first")
        if ply >= self.settings.ply and not self._mid_reached:
            self._mid_reached = True
            self.reached("mid")
        # An instant search ends before the next command is looked at.
        self.think()

    def on_stop(self) -> None:
        if self.search is not None:
            self.finish()

    def on_gameover(self, words: list[str]) -> None:
        """The result of the game, `p1win line`: nothing to say to it."""

    def on_quit(self) -> None:
        self.reached("quit")
        self.done = True

    def on_end(self) -> None:
        """The input has ended: so do we."""
        self.done = True

    def status(self) -> int:
        """The exit status."""
        return 0

    # Searching

    def plan(self, go: Go) -> Plan:
        """How long to think about a move: as long as we were told to, and never longer than the limit allows."""
        share_ms: float | None = None
        if go.movetime_ms is not None:
            share_ms = go.movetime_ms * 0.8
        elif go.time_ms is not None:
            share_ms = min(go.time_ms * 0.5, go.time_ms / min(20, (go.moves or 20) + 1) + go.inc_ms / 2)
        wall_ms, cpu_ms = self.settings.think_ms or 0, self.settings.cpu_ms or 0
        if share_ms is None:
            return Plan(wall_ms, cpu_ms, go.infinite)
        return Plan(min(wall_ms, share_ms), min(cpu_ms, share_ms), go.infinite)

    def think(self) -> float | None:
        """A slice of the search, ended where its plan is. How many ms may pass until the next slice, None for ever."""
        search = self.search
        if search is None or search.plan.endless:
            return None
        cpu_end_ns = search.cpu_start_ns + int(search.plan.cpu_ms * 1_000_000)
        slice_end_ns = time.monotonic_ns() + _SLICE_NS
        while (burnt_ns := time.process_time_ns()) < cpu_end_ns and time.monotonic_ns() < slice_end_ns:
            pass
        left_ms = search.plan.wall_ms - (time.monotonic_ns() - search.start_ns) / 1_000_000
        if burnt_ns < cpu_end_ns:
            return 0
        if left_ms > 0:
            return left_ms
        self.finish()
        return None

    def finish(self) -> None:
        """End the search with its info and its bestmove."""
        search, self.search = self.search, None
        assert search is not None
        self.answer(search.go, (time.monotonic_ns() - search.start_ns) // 1_000_000)
        self.reached("idle")

    def answer(self, go: Go, elapsed_ms: int) -> None:
        """What a search has found."""
        depth = max(1, min(go.depth or 1, go.nodes or _LONGEST_LINE, _LONGEST_LINE))
        line = self.table.line(depth, self.settings.mover == "first")
        if not line:
            # Nobody should have asked: the game is over.
            self.say("bestmove", "0000")
            return
        nodes = len(line)
        self.say(
            "info",
            f"depth {depth} seldepth {nodes} score cp 0 nodes {nodes} time {elapsed_ms}"
            f" nps {nodes * 1000 // max(elapsed_ms, 1)} pv {' '.join(line)}",
        )
        ply = len(self.table.current().moves)
        resign_ply, offer_ply = self.settings.resign_ply, self.settings.offer_ply
        if resign_ply is not None and ply >= resign_ply and self.options["UGI_Resign"] == "true":
            self.say("bestmove", "resign")
            return
        if offer_ply is not None and ply >= offer_ply and self.options["UGI_Draw"] == "true":
            self.say("offer", "draw")
        self.say("bestmove", self.word(line[0]))

    def word(self, move: str) -> str:
        """What to say as the move."""
        return move

    def reached(self, phase: Phase) -> None:
        """A phase has been reached; a correct engine does not care."""
