"""A correct engine that moves at random, with a method for everything that a fault may do differently.

Owns the order of the dialogue on the engine's side. It does not use `protocol.engine`, since a fault needs the details
that this library hides. Its one thread checks the input between slices of a search, so that `stop`, `isready`, `quit`
and the end of the input work at any time.

The methods to override: `say` and `write` for every line, one method for each command, `word` for the move, `plan` for
the thinking time. `phase_reached` is called at each phase of `tests.zoo.settings.PHASES`.
"""

import signal
import time

from arena.games.variants import DEFAULT, names
from tests.zoo.game_state import QUERIES, BadRequest, GameState
from tests.zoo.search import Go, Plan, Search, read_go
from tests.zoo.settings import Phase, Settings
from tests.zoo.wire import Gone, Wire

_SLICE_NS = 2_000_000
_LONGEST_LINE = 100


class Engine:
    """An engine that keeps every clause of SPEC.md."""

    name = ""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.wire = Wire()
        self.state = GameState()
        self.search: Search | None = None
        self.options = {"UGI_Resign": "true", "UGI_Draw": "true"}
        self.done = False
        self._goes = 0
        self._mid_reached = False
        self._cpu_ns = 0

    def run(self) -> int:
        """Run until `quit`, the end of the input or a closed output. Returns the exit status."""
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
        """Send one line: its first word, and the rest."""
        self.write(f"{kind} {text}".rstrip().encode() + b"\n")

    def write(self, data: bytes) -> None:
        """Write bytes to stdout, in one system call if the pipe has room."""
        self.wire.write(data)

    # In

    def listen(self, wait_ms: float | None) -> None:
        """Wait for input. `wait_ms` None waits without a limit."""
        self.wire.listen(wait_ms)
        if self.search is None:
            self._cpu_ns = time.process_time_ns()

    def handle(self, line: str) -> None:
        """Handle one line of input. Unknown words are ignored."""
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
                    self.say("response", self.state.query(words[1:]))
                case "gameover":
                    self.on_gameover(words[1:])
                case "quit":
                    self.on_quit()
        except BadRequest as error:
            self.say("error", str(error))

    def start(self) -> None:
        """Called before the first input. A correct engine writes nothing here."""

    def on_ugi(self) -> None:
        self.phase_reached("handshake")
        self.introduce()
        self.say("ugiok")

    def introduce(self) -> None:
        """Send the id lines and the options."""
        self.say("id", f"name {self.title()}")
        self.say("id", "author Callanish Arena")
        for option in self.announced():
            self.say("option", f"name {option}")

    def title(self) -> str:
        """The engine's name."""
        return f"zoo {self.name}".rstrip()

    def announced(self) -> list[str]:
        """The announced options, each as the text after `option name`."""
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
        self.phase_reached("ready")
        self.say("readyok")

    def on_newgame(self) -> None:
        self._goes = 0
        self._mid_reached = False
        self.reset()
        self.phase_reached("newgame")

    def reset(self) -> None:
        """Go to the variant's start position."""
        self.state.set_position(["startpos"])

    def on_setoption(self, words: list[str]) -> None:
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
        known = {option.split(" type ")[0].lower(): option.split(" type ")[0] for option in self.announced()}
        option = known.get(name.lower())
        value = "" if value == "<empty>" else value
        match option:
            case "UGI_Variant":
                self.state.set_variant(value)
                self.reset()
            case "UGI_Rules":
                self.state.rule_options = value
            case "Seed":
                if not (value.isascii() and value.isdigit() and int(value) < 2**63):
                    raise BadRequest(f"Seed takes a whole number from 0 to {2**63 - 1}, not {value or '(nothing)'}")
                self.state.seed = int(value)
            case "UGI_Resign" | "UGI_Draw" | "UGI_GameOver" | "UGI_MovesToGo":
                if value not in ("true", "false"):
                    raise BadRequest(f"{option} takes true or false, not {value or '(nothing)'}")
                self.options[option] = value
            case None:
                raise BadRequest(f"there is no option {name or '(nothing)'}")

    def on_position(self, words: list[str]) -> None:
        if not self.state.set_position(words):
            self._goes = 0
            self._mid_reached = False
        self.phase_reached("position")

    def on_go(self, words: list[str]) -> None:
        game = self.state.current()
        go = read_go(words, game.position.side)
        self._goes += 1
        ply = len(game.moves)
        self.search = Search(go, self.plan(go), time.monotonic_ns(), self._cpu_ns)
        if self._goes == 1:
            self.phase_reached("first")
        if ply >= self.settings.ply and not self._mid_reached:
            self._mid_reached = True
            self.phase_reached("mid")
        # An instant search ends before the next command is looked at.
        self.think()

    def on_stop(self) -> None:
        if self.search is not None:
            self.finish()

    def on_gameover(self, words: list[str]) -> None:
        """The referee sent the result of the game, such as `p1win line`. It needs no answer."""

    def on_quit(self) -> None:
        self.phase_reached("quit")
        self.done = True

    def on_end(self) -> None:
        """The input has ended, so the engine ends."""
        self.done = True

    def status(self) -> int:
        """The exit status."""
        return 0

    # Searching

    def plan(self, go: Go) -> Plan:
        """How long to think about a move: as long as the settings say, but never longer than the limit allows."""
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
        """Run a slice of the search; finish it at the end of its plan. Returns the ms to the next slice, None if none
        is needed."""
        search = self.search
        if search is None or search.plan.endless:
            return None
        cpu_end_ns = search.cpu_start_ns + int(search.plan.cpu_ms * 1_000_000)
        slice_end_ns = time.monotonic_ns() + _SLICE_NS
        while (used_ns := time.process_time_ns()) < cpu_end_ns and time.monotonic_ns() < slice_end_ns:
            pass
        left_ms = search.plan.wall_ms - (time.monotonic_ns() - search.start_ns) / 1_000_000
        if used_ns < cpu_end_ns:
            return 0
        if left_ms > 0:
            return left_ms
        self.finish()
        return None

    def finish(self) -> None:
        """Finish the search with its info and its bestmove."""
        search, self.search = self.search, None
        assert search is not None
        self.answer(search.go, (time.monotonic_ns() - search.start_ns) // 1_000_000)
        self.phase_reached("idle")

    def answer(self, go: Go, elapsed_ms: int) -> None:
        """Send the info and the bestmove of a search."""
        depth = max(1, min(go.depth or 1, go.nodes or _LONGEST_LINE, _LONGEST_LINE))
        line = self.state.line(depth, self.settings.mover == "first")
        if not line:
            # The game is over, so this `go` was a mistake.
            self.say("bestmove", "0000")
            return
        nodes = len(line)
        self.say(
            "info",
            f"depth {depth} seldepth {nodes} score cp 0 nodes {nodes} time {elapsed_ms}"
            f" nps {nodes * 1000 // max(elapsed_ms, 1)} pv {' '.join(line)}",
        )
        ply = len(self.state.current().moves)
        resign_ply, offer_ply = self.settings.resign_ply, self.settings.offer_ply
        if resign_ply is not None and ply >= resign_ply and self.options["UGI_Resign"] == "true":
            self.say("bestmove", "resign")
            return
        if offer_ply is not None and ply >= offer_ply and self.options["UGI_Draw"] == "true":
            self.say("offer", "draw")
        self.say("bestmove", self.word(line[0]))

    def word(self, move: str) -> str:
        """The word to send as the move."""
        return move

    def phase_reached(self, phase: Phase) -> None:
        """Called at each phase. A correct engine does nothing here."""
