"""Checks that only talk: what is sent, what is awaited and what is judged, written as a list of steps.

A talk is text with a step a line. A fresh engine is set up for a game before the first one:

| step | |
|---|---|
| `> WORDS` | send WORDS and a newline, with `\\t` and other escapes as in C |
| `{3}`, `{spaced 3}` | in WORDS: the `position` 3 plies into a long game; the same with more blanks and tabs |
| `> 20 times WORDS` | send 20 such lines in one write |
| `>> WORDS` | send exactly WORDS, without a newline |
| `long WORD` | send a line of 16 KiB of this word |
| `< readyok`, `< 5 readyok` | wait for it, or for so many of them |
| `< readyok, no bestmove option` | wait for it, and let none of the others come before |
| `< legal` | wait for the bestmove of the last `go`, which is a legal move in the position of the last `{3}` |
| `move LIMIT`, `move LIMIT at 7` | set a position up, wait for `readyok`, search it: the move is legal |
| `move LIMIT at 1-20` | the same for each of these plies |
| `each of 30`, `each one-move mate` | do what follows for each of 30 positions, or each rare one of these kinds |
| `at it`, `move LIMIT at it` | in the steps after `each`: the position whose turn it is |
| `at 7`, `is at 7` | set a position up and wait for `readyok`; the engine's position is this one |
| `within 100: no readyok` | for 100 ms none of these comes |
| `within 100: 1 readyok` | for 100 ms at most one comes |
| `within 100: nothing`, `no line` | nothing but remarks (`info string`, `error`); no info at all |
| `wait 50` | let 50 ms pass; what comes meanwhile is not judged |
| `pause 50` | let 50 ms pass; what comes meanwhile is read afterwards |
| `lasting 300` | start a search that goes on for 300 ms; without such a search the check does not apply |
| `stop`, `again` | stop that search: the move is legal. Start the same search again |
| `unless lasting 200`, `unless answers p1turn` | if there is no such search, or no such answer, the talk ends here |
| `game` | begin a new game |
| `start`, `engine` | a fresh engine: only started, or set up for a game |
| `ugi`, `ugi again` | the handshake; a second one that is answered like the first |
| `needs UGI_GameOver` | without this option the check does not apply |
| `eof`, `sigterm` | close the engine's input; send it the signal |
| `gone 5000`, `status 0` | it ends in time; with this exit status (a SHOULD) |
| `no process` | none of its group lives on |
"""

import re
import time
from collections.abc import Sequence

from arena.conformance.checked_engine import READY_MS, SEARCH_MS, STOP_MS, CheckedEngine, EngineLine, is_remark
from arena.conformance.checks.plain_session import require_position
from arena.conformance.context import START, CheckContext, pause, require
from arena.conformance.judge.positions import GamePosition
from arena.conformance.violation import NotApplicable, quoted
from protocol.messages import BestMove, Id, Info, MalformedBestMove, Message, OptionLine, ReadyOk, Response, UgiOk

_KINDS: dict[str, tuple[type[Message], ...]] = {
    "bestmove": (BestMove, MalformedBestMove),
    "option": (OptionLine,),
    "readyok": (ReadyOk,),
    "response": (Response,),
    "ugiok": (UgiOk,),
}
_LIMIT = "nodes 100"
_LONG_LINE = 16_384
_FEW = 4


class _Over(Exception):
    """The rest of the talk does not apply to this engine."""


def talk(ctx: CheckContext, steps: str) -> str:
    """Go through the steps. The times that were measured; raises Violation and NotApplicable."""
    done = _Talk(ctx)
    try:
        done.steps(steps.splitlines())
    except _Over:
        pass
    return ", ".join(done.measured) if len(done.measured) <= _FEW else f"{len(done.measured)} moves"


class _Talk:
    def __init__(self, ctx: CheckContext) -> None:
        self._ctx = ctx
        self._engine: CheckedEngine | None = None
        self._position = self._it = START
        self._last = self._limit = ""
        self._line = ""
        """What was sent of a line that has no newline yet."""
        self._sent_ns = 0
        self._greeting: list[Id | OptionLine] = []
        self.measured: list[str] = []

    @property
    def engine(self) -> CheckedEngine:
        """The engine that is spoken with."""
        self._engine = self._engine or self._ctx.new_engine()
        return self._engine

    def steps(self, steps: Sequence[str]) -> None:
        """Do some steps. What follows an `each` is done for each of its positions."""
        for number, step in enumerate(steps):
            if step.startswith("each "):
                for position in self._each(step.split()[1:]):
                    self._it = position
                    self.steps(steps[number + 1 :])
                return
            self.step(step)

    def _each(self, words: Sequence[str]) -> list[GamePosition]:
        if words[0] == "of":
            return self._ctx.book.positions(self._ctx.repeats(int(words[1]), 3 * int(words[1])))
        return self._ctx.special_positions(*words)

    def step(self, text: str) -> None:
        """Do one step."""
        word, _, rest = text.partition(" ")
        match word:
            case ">":
                times, _, words = rest.rpartition(" times ")
                self._send(f"{words}\n" * int(times or 1))
            case "long":
                self._send(f"{rest} " * (_LONG_LINE // len(f"{rest} ")) + "\n")
            case ">>":
                self._send(rest)
            case "<":
                self._await(rest)
            case "at":
                self._position = self._at(rest)
                self.engine.set_position(self._position)
                self._last = "`isready`"
            case "is":
                require_position(self._ctx, self.engine, self._at(rest.removeprefix("at ")))
            case "move":
                limit, _, plies = rest.partition(" at ")
                first, _, last = (plies or "0").partition("-")
                for ply in map(str, range(int(first), int(last) + 1)) if last else (first,):
                    answer = self._ctx.move(self.engine, limit or _LIMIT, self._at(ply))
                    self.measured.append(f"{limit.split()[0]} {answer.elapsed_ms:.0f} ms" if limit else answer.word)
                self._last = "its bestmove"
            case "within":
                self._within(rest)
            case "wait":
                self.engine.drain(float(rest))
            case "pause":
                pause(float(rest))
            case "unless":
                self._unless(rest)
            case _:
                self._other(word, rest)

    def _other(self, word: str, rest: str) -> None:
        ctx = self._ctx
        match word:
            case "lasting":
                self._limit, self._position = ctx.start_lasting(self.engine, float(rest)), START
            case "again":
                self.engine.set_position(START)
                self._send(f"go {self._limit}\n")
            case "stop":
                answer = self.engine.stop(self._limit, self._position)
                ctx.legal(answer)
                self._last = "its bestmove"
                self.measured.append(f"{answer.elapsed_ms:.0f} ms")
            case "ugi":
                messages = (each.message for each in self.engine.handshake().lines)
                greeting = [message for message in messages if isinstance(message, Id | OptionLine)]
                same = not rest or greeting == self._greeting
                require(same, f"it announced {len(self._greeting)} lines first and {len(greeting)} others then")
                self._greeting = greeting
                self._last = "`ugi`"
            case "game":
                self.engine.new_game()
            case "start" | "engine":
                self._engine = ctx.start() if word == "start" else ctx.new_engine()
                self._line = ""
            case "needs":
                ctx.option(rest)
            case "eof":
                self.engine.subject.end_input()
                self._last = "the end of its input"
            case "sigterm":
                self.engine.subject.terminate()
                self._last = "SIGTERM"
            case "gone":
                gone_ms = self.engine.wait_exit(float(rest))
                late = f"it was still there {float(rest) * self.engine.slow:.0f} ms after {self._last}"
                require(gone_ms is not None, late)
                self.measured.append(f"{gone_ms:.0f} ms")
            case "status":
                status = self.engine.subject.exit_status()
                require(status == int(rest), f"its exit status is {status}", minor=True)
            case "no":
                processes = self.engine.subject.group_members()
                require(not processes, f"{len(processes)} processes of its group live on")
            case _:
                raise ValueError(f"a talk has no step {word!r}")

    def _at(self, ply: str) -> GamePosition:
        """This many plies into the longest golden game, or before the last ply of a shorter one."""
        if ply == "it":
            return self._it
        game = self._ctx.book.longest
        return game.at(min(int(ply), len(game.moves) - 1)) if int(ply) else START

    def _send(self, words: str) -> None:
        for place, spaced, ply in re.findall(r"(\{(spaced )?(\d+)\})", words):
            self._position = self._at(ply)
            command = self.engine.position_command(self._position)
            words = words.replace(place, command.replace(" ", r" \t  ") if spaced else command)
        data = words.encode().decode("unicode_escape").encode("latin-1")
        sent = self._line + data.decode("latin-1")
        self._line = sent.rpartition("\n")[2]
        lines = [" ".join(line.split()) for line in sent.split("\n") if line.strip()]
        last = lines[-1] if lines else ""
        self._last = f"`{last}`" if len(last) < 60 else f"`{last[:57]}...`"
        self._limit = next(
            (line.removeprefix("go ") for line in reversed(lines) if line.startswith("go ")), self._limit
        )
        self._sent_ns = time.monotonic_ns()
        self.engine.subject.begin_turn()
        self.engine.send_bytes(data)

    def _await(self, what: str) -> None:
        awaited, _, forbidden = what.partition(", no ")
        if awaited == "legal":
            within_ms = STOP_MS if self._last == "`stop`" else SEARCH_MS
            self._ctx.legal(self.engine.read_answer(self._limit, self._position, self._sent_ns, within_ms))
            return
        times, _, name = awaited.rpartition(" ")
        most = int(times or 1)
        within_ms = STOP_MS if name == "bestmove" else READY_MS
        for number in range(most):
            due = f"{name} number {number + 1} of {most}" if most > 1 else name
            lines = self.engine.read_until(_KINDS[name], within_ms, f"{due} after {self._last}")
            self._judge(lines[:-1], forbidden.split(), 0)

    def _within(self, what: str) -> None:
        ms, _, judged = what.partition(": ")
        lines = self.engine.drain(float(ms))
        if judged == "nothing":
            lines = [each for each in lines if not is_remark(each)]
        if judged in ("nothing", "no line"):
            lines = [each for each in lines if not is_remark(each) or isinstance(each.message, Info)]
            require(not lines, f"after {self._last} it said {', '.join(quoted(each.raw) for each in lines[:3])}")
            return
        most, _, names = judged.partition(" ")
        self._judge(lines, names.split(), 0 if most == "no" else int(most))

    def _judge(self, lines: list[EngineLine], names: list[str], most: int) -> None:
        for name in names:
            came = [each for each in lines if isinstance(each.message, _KINDS[name])]
            more = "once" if len(came) == most + 1 else f"{len(came) - most} times"
            line = quoted(came[0].raw) if came else ""
            require(len(came) <= most, f"after {self._last} it said {line} {more} more than was due")

    def _unless(self, what: str) -> None:
        word, _, rest = what.partition(" ")
        if word == "answers":
            if self.engine.ask(rest) is None:
                raise _Over
            return
        try:
            self.step(what)
        except NotApplicable:
            raise _Over from None
