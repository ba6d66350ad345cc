"""Plays as an engine of another program that speaks OTEP, OpenTafl's protocol for external engines.

    python -m engines.adapters.otep_player java -cp OpenTafl.jar com.manywords.softworks.tafl.OpenTafl --silent --engine

Towards the other engine this is OpenTafl: it tells the rules, the moves and the clocks, and asks for moves. The rules
and all answers but the moves are ours. OTEP has no `stop`, no nodes and no depth; ADAPTERS.md tells what follows.
"""

import argparse
import sys
import time
from collections.abc import Sequence

from arena.games.tafl import otn as notation
from arena.games.tafl.rules import TaflRules
from arena.games.tafl.variants import TAFL
from engines.adapters import command_line
from engines.adapters.line_process import LineProcess, ProgramEnded, ProgramFailed
from engines.adapters.program_engine import ProgramEngine, play
from engines.common import Line, continues
from protocol.engine import Option, Root, Search

_HELLO_S = 30.0
"""For `hello`. OTEP says 5 s; a virtual machine on a busy machine takes longer."""
_THINK_MS = 1_000
"""The time for a move under a limit that OTEP cannot say: nodes, depth, none."""
_LOOK_S = 0.005
"""The time between two looks for `stop`."""
_PERIODS = 5
"""The periods of overtime that are told. With one left, OpenTafl hurries."""
_LEAST_MS = 10
_AFTER_MOVE_S = 0.1
"""OpenTafl plays its move on its own board and counts its search only after it has said the move. Until then it loses
an opponent's move, and dies of another search."""
_WARM_UP_MS = 3_000
"""OpenTafl dies where its time is over before it has looked at one move."""


class OtherEngineFailed(ProgramFailed):
    """The other engine did not say `hello`, or told of a critical error."""


class OtepPlayer(ProgramEngine):
    """An engine whose moves come from a program that speaks OTEP."""

    variants = tuple(name for name in TAFL if notation.can_tell(TAFL[name].options))
    options = (Option("TimeOffset", "spin", "0", min=-5_000, max=5_000),)

    def __init__(self, argv: Sequence[str], name: str) -> None:
        self._argv = tuple(argv)
        self._process: LineProcess | None = None
        self._sent: Root | None = None
        """The game as the other engine knows it."""
        self._used = False
        """Whether it has been told anything since it started."""
        self._moved_s = 0.0
        """When it last said a move."""
        super().__init__(name)

    def new_game(self) -> None:
        """Start the other engine afresh: what it keeps of the last game cannot be cleared by OTEP."""
        super().new_game()
        if self._process is not None:
            if self._used:
                self.close()
            self._warm_up(self.started())

    def check(self, root: Root) -> None:
        _rules(self.line(root))

    def ask(self, line: Line, search: Search) -> str | None:
        moves = line.position.moves()
        if len(moves) == 1:
            return moves[0].text
        process = self.started()
        while (wait_s := self._moved_s + _AFTER_MOVE_S - time.monotonic()) > 0:
            process.read(wait_s)
        self._tell(line, process)
        clock, side = self._clock(search), _side_word(line)
        process.send(clock)
        process.send(f"play {side}")
        while not search.stopped():
            answer = process.read(_LOOK_S)
            word, _, rest = (answer or "").partition(" ")
            if word == "move":
                move = notation.read_move(rest.strip())
                self._moved_s = time.monotonic()
                self._played(line, move)
                return move
            if answer is not None and answer.startswith("error -1"):
                raise OtherEngineFailed(f"{self.name} told of a critical error: {rest}", [*process.last])
            if word == "position":
                process.send(f"position {_position(line)}")
            elif word == "rules":
                process.send(f"rules {_rules(line)}")
            elif word == "clock":
                process.send(clock)
            elif word == "side":
                process.send(f"side {side}")
            elif word in ("status", "error"):
                search.info(string=rest)
        return None

    def close(self) -> None:
        if self._process is not None:
            try:
                self._process.send("goodbye")
            except ProgramEnded:
                pass
            self._process.close()
        self._process, self._sent = None, None

    def _clock(self, search: Search) -> str:
        """The clock of this move.

        Time told as overtime is in milliseconds and for this move alone. Only the length of a period is in seconds.
        """
        limits = search.limits
        limit_ms = _THINK_MS
        if limits.movetime_ms is not None:
            limit_ms = limits.movetime_ms
        elif limits.time_ms is not None:
            limit_ms = min(limits.time_ms // 25 + limits.inc_ms * 3 // 4, limits.time_ms // 2)
        return _clock_line(max(_LEAST_MS, limit_ms + int(self.settings["TimeOffset"])))

    def _tell(self, line: Line, process: LineProcess) -> None:
        """Tell the other engine the game up to this position: what is new, where it has the rest."""
        root = line.root
        self._used = True
        told_root = self._sent
        if told_root is None or not continues(root, told_root):
            if told_root is not None:
                process.send("finish 0")
            process.send(f"rules {_rules(line)}")
            told_root = Root(root.variant, root.rules, root.fen, ())
        if new := root.moves[len(told_root.moves) :]:
            process.send(f"opponent-move {'|'.join(map(notation.move_record, new))} {_position(line)}")
        self._sent = root

    def _played(self, line: Line, move: str) -> None:
        """Note the other engine's own move, which it has played on its board, and accept it."""
        root, legal = line.root, line.position.find(move)
        self._sent = None
        if legal is not None and self._process is not None:
            after = line.position.play(legal)
            if after.outcome is None:
                self._process.send(f"move {notation.position_record(after.fen().split()[0])}")
                self._sent = Root(root.variant, root.rules, root.fen, (*root.moves, move))

    def started(self) -> LineProcess:
        """The other engine, which has said `hello`."""
        if self._process is None:
            self._process, self._used = LineProcess(self._argv), False
            deadline = time.monotonic() + _HELLO_S
            while (answer := self._process.read(max(0.0, deadline - time.monotonic()))) != "hello":
                if answer is None:
                    raise OtherEngineFailed(
                        f"{self._argv[0]} did not say `hello` in {_HELLO_S:.0f} s: is it an engine that speaks OTEP?",
                        [*self._process.last],
                    )
        return self._process

    def _warm_up(self, process: LineProcess) -> None:
        """Let it play a move that nobody waits for: the first one of a virtual machine takes half a second longer."""
        self._used = True
        root = Root(self.variants[0], "", None, ())
        process.send(f"rules {_rules(Line(root))}")
        process.send(_clock_line(_WARM_UP_MS))
        process.send("play attackers")
        deadline = time.monotonic() + _HELLO_S
        while (answer := process.read(max(0.0, deadline - time.monotonic()))) is not None:
            if answer.startswith("move "):
                break
        self._moved_s = time.monotonic()
        process.send("finish 0")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
        self._process, self._sent = None, None


def _clock_line(limit_ms: int) -> str:
    return f"clock {limit_ms}* {limit_ms}* {-(-limit_ms // 1000)} {_PERIODS} {_PERIODS}"


def _rules(line: Line) -> str:
    rules = line.game.rules
    assert isinstance(rules, TaflRules)
    return notation.rules_record(rules, line.game.start.fen())


def _position(line: Line) -> str:
    return notation.position_record(line.position.fen().split()[0])


def _side_word(line: Line) -> str:
    return "attackers" if line.position.side == "p1" else "defenders"


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the other engine and speak our protocol until `quit`."""
    parser = argparse.ArgumentParser(
        prog="python -m engines.adapters.otep_player",
        description="Play as an engine that speaks OTEP: docs/authors/ADAPTERS.md tells how to register it.",
    )
    parser.add_argument("--name", default="OTEP engine", help="what the engine is called (default: OTEP engine)")
    options = command_line.parsed(parser, arguments, "java -cp OpenTafl.jar ... --engine")
    return play(OtepPlayer(options.command, options.name), parser.prog)


if __name__ == "__main__":
    sys.exit(main())
