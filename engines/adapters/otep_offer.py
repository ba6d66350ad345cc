"""Offers an engine of ours to OpenTafl, or to whatever else plays against engines that speak OTEP.

    python -m engines.adapters.otep_offer python -m engines.alphabeta

Towards OpenTafl this is an external engine; towards our engine it is a referee that only asks for moves. OpenTafl's
board counts: where our rules capture otherwise than its own, the game is told anew from its board.
"""

import argparse
import os
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from arena.games import variants
from arena.games.game import Game
from arena.games.rules import RulesError
from arena.games.tafl import otn as notation
from arena.games.tafl.otn import NoCounterpart, OurRules
from engines.adapters import command_line
from engines.adapters.line_process import OwnLines, ProgramFailed
from engines.adapters.ugi_client import UgiClient
from protocol.commands import integer

_THINK_MS = 5_000
_RESERVE_MS = 300
"""What is kept back of a period of overtime. OpenTafl's clock counts until it has read the move."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What an engine found in a search."""

    move: str
    pv: tuple[str, ...] = ()
    score: float = 0.0
    """In men, from the mover's side."""


class OtepEngine:
    """One engine of ours that OpenTafl commands."""

    def __init__(self, engine: UgiClient, think_ms: int, in_fd: int = 0, out_fd: int = 1) -> None:
        self._engine = engine
        self._own = OwnLines(in_fd, out_fd)
        self.say = self._own.say
        self._think_ms = think_ms
        self._rules: OurRules | None = None
        self._game: Game | None = None
        self._clock = ""
        self._lines: deque[str] = deque()
        self._over = False

    def run(self) -> None:
        """Follow OpenTafl's commands until `goodbye` or the end of the input."""
        while not self._over:
            while self._lines and not self._over:
                self._handle(self._lines.popleft())
            if not self._over:
                self._read()

    def _read(self) -> None:
        lines = self._own.take()
        self._over = lines is None
        self._lines.extend(lines or ())

    def _handle(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        try:
            if word == "rules":
                self._set_rules(notation.read_rules(rest, self._engine.choices.get("UGI_Variant", ())))
            elif word == "opponent-move":
                moves, _, position = rest.partition(" ")
                self._play([notation.read_move(move) for move in moves.split("|")])
                self._follow(notation.read_board(position.strip()))
            elif word == "move":
                self._follow(notation.read_board(rest.strip()))
            elif word == "position":
                self._set_board(notation.read_board(rest.strip()))
            elif word == "side":
                self._set_side(rest)
            elif word == "clock":
                self._clock = rest
            elif word == "play":
                self._set_side(rest)
                self._answer_play()
            elif word == "analyze":
                self._answer_analyze(rest.split())
            elif word == "finish":
                self._clock = ""
            elif word == "goodbye":
                self._over = True
        except (NoCounterpart, RulesError) as error:
            self.say(f"error -1 {error}")

    def _set_rules(self, rules: OurRules) -> None:
        if rules.rules and "UGI_Rules" not in self._engine.choices:
            raise NoCounterpart(f"{self._engine.name} cannot play with these rules: {rules.rules}")
        self._rules = rules
        self._game = Game(*variants.resolve(rules.variant, rules.rules, rules.fen))
        self._engine.set("UGI_Variant", rules.variant)
        self._engine.set("UGI_Rules", rules.rules)
        self._engine.send("uginewgame")
        self._engine.ready()

    def _playing(self) -> Game:
        if self._game is None:
            raise NoCounterpart("a game needs its rules first")
        return self._game

    def _play(self, moves: Sequence[str]) -> None:
        """Play moves as far as our rules allow them. The board that follows puts the rest right."""
        game = self._playing()
        for move in moves:
            legal = game.position.find(move)
            if legal is None or game.outcome is not None:
                return
            game.advance(legal)

    def _follow(self, board: str) -> None:
        """Tell the game anew where our board is another than OpenTafl's."""
        if self._playing().position.fen().split()[0] != board:
            self._set_board(board)

    def _set_board(self, board: str) -> None:
        self._start_from(board, self._playing().position.side)

    def _set_side(self, word: str) -> None:
        side = "p1" if word.startswith("attackers") else "p2"
        if self._playing().position.side != side:
            self._start_from(self._playing().position.fen().split()[0], side)

    def _start_from(self, board: str, side: str) -> None:
        assert self._rules is not None
        self._game = Game(*variants.resolve(self._rules.variant, self._rules.rules, f"{board} {side} 1"))

    def _answer_play(self) -> None:
        game = self._playing()
        if game.outcome is not None:
            raise NoCounterpart(f"the game is over by {game.outcome.reason}")
        thought = self._think(self._limit())
        if thought is not None:
            self._play([thought.move])
            self.say(f"move {notation.move_record(thought.move)}")

    def _answer_analyze(self, words: Sequence[str]) -> None:
        seconds = integer(words[1]) if len(words) > 1 else None
        thought = self._think(f"movetime {max(1, seconds or 1) * 1000 - _RESERVE_MS}")
        if thought is not None:
            moves = "|".join(map(notation.move_record, thought.pv or (thought.move,)))
            self.say(f"analysis 1 {moves} {thought.score:g}")

    def _limit(self) -> str:
        """The limit of a `go`. Time in an overtime period is for this move; main time is for the rest of the game."""
        words = self._clock.split()
        mine = 0 if self._playing().position.side == "p1" else 1
        given = [integer(word.rstrip("*")) for word in words[:2]]
        times = [max(1, time_ms) for time_ms in given if time_ms is not None]
        if len(times) < 2:
            return f"movetime {self._think_ms}"
        if words[mine].endswith("*"):
            return f"movetime {max(1, times[mine] - _RESERVE_MS)}"
        return f"p1time {times[0]} p2time {times[1]} p1inc 0 p2inc 0"

    def _think(self, limit: str) -> Thought | None:
        """Let the engine search. None where OpenTafl ended the game meanwhile. Raises ProgramFailed."""
        game = self._playing()
        moves = f" moves {' '.join(game.moves)}" if game.moves else ""
        self._engine.send(f"position fen {game.start.fen()}{moves}")
        self._engine.ready()
        self._engine.send(f"go {limit}")
        pv: tuple[str, ...] = ()
        score, wanted = 0.0, True
        while True:
            if self._engine.wait_for(self._own.in_fd):
                self._read()
                if self._over:
                    return None
                if wanted and {"finish", "goodbye"} & {line.split(" ")[0] for line in self._lines}:
                    wanted = False
                    self._engine.send("stop")
            line = self._engine.read(0)
            words = (line or "").split()
            if words[:1] == ["bestmove"]:
                return Thought(words[1], pv, score) if wanted else None
            if words[:1] == ["info"]:
                pv = tuple(words[words.index("pv") + 1 :]) if "pv" in words else pv
                score = int(words[words.index("cp") + 1]) / 100 if "cp" in words else score


def main(arguments: Sequence[str] | None = None) -> int:
    """Start our engine and follow OpenTafl's commands."""
    parser = argparse.ArgumentParser(
        prog="python -m engines.adapters.otep_offer",
        description="Offer an engine of ours to OpenTafl: docs/authors/ADAPTERS.md has the file that it wants.",
    )
    parser.add_argument(
        "--think-ms", type=int, default=_THINK_MS, metavar="MS", help="for a move without a clock (default 5000)"
    )
    options = command_line.parsed(parser, arguments, "python -m engines.alphabeta")
    if options.think_ms < 1:
        parser.error("--think-ms must be at least 1")
    os.write(1, b"hello\n")
    try:
        with closing(UgiClient(options.command)) as engine:
            OtepEngine(engine, options.think_ms).run()
    except ProgramFailed as error:
        os.write(1, f"error -1 {error}\n".encode())
        return 1
    except BrokenPipeError:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
