"""Steps through one game on a terminal: which ply is shown, what keys do, and the screen as lines of text.

Reads no key and prints nothing itself: `step_through` hands it both, and tests do so without a terminal.
"""

import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from rich.control import Control
from rich.text import Text

from arena.cli import output, wrap
from arena.cli.view import keys
from arena.games.board_drawing import DrawnBoard, Glyphs, legend
from arena.games.game import Game
from arena.games.variants import kind_of
from arena.timing.time_control import BadLimit, parse
from results.plies import Ply
from results.record import GameRecord
from results.safe_text import harmless
from results.tables import one_game
from results.tables.text_width import columns, cut
from results.variant_name import shown

TEN = 10
"""The plies of a large step."""
_STEPS = {"left": -1, "right": 1, " ": 1, "up": -TEN, "down": TEN, "pgup": -TEN, "pgdn": TEN}
_GAP = 3
"""Columns between the board and the list of moves."""
_HELP = ("left/right 1, up/down 10 plies, Home, End, number Enter, q quit", "arrows, number Enter, q quit", "q quit")


@dataclass(frozen=True, slots=True)
class SteppedGame:
    """A game to step through. It has a board for each position, the start included."""

    record: GameRecord
    game: Game
    boards: Sequence[DrawnBoard]


class GameStepper:
    """Where a reader is in a game. It begins behind the opening, so that there is something to step to."""

    def __init__(self, stepped: SteppedGame, glyphs: Glyphs) -> None:
        self._stepped = stepped
        self._glyphs = glyphs
        self._last = len(stepped.boards) - 1
        self.ply = min(len(stepped.record.opening), self._last)
        self._typed = ""

    def press(self, key: str) -> bool:
        """Do what a key asks for. False if it leaves."""
        if key in ("q", "eof") or (key == "esc" and not self._typed):
            return False
        if key.isascii() and key.isdigit():
            self._typed = (self._typed + key)[:7]
            return True
        if key == "backspace":
            self._typed = self._typed[:-1]
            return True
        typed, self._typed = self._typed, ""
        to = {"home": 0, "end": self._last, "enter": int(typed) if typed else self.ply}
        self.ply = min(max(to.get(key, self.ply + _STEPS.get(key, 0)), 0), self._last)
        return True

    def lines(self, width: int, height: int) -> list[Text]:
        """The screen: at most `height` lines of at most `width` columns."""
        shown = self._game_lines(width, height)
        for line in shown:
            line.no_wrap = True
            line.truncate(width)
        return shown[:height]

    def _game_lines(self, width: int, height: int) -> list[Text]:
        record, board = self._stepped.record, self._stepped.boards[self.ply]
        drawn = list(output.rich_text(board, self._glyphs).split("\n", allow_blank=False))
        title = f"game {record.number}: {record.p1} - {record.p2}, {shown(record.variant)}, {record.tc}"
        head = [Text(cut(title, width), "bold")]
        move, cost = self._move()
        foot = [Text(f"jump to ply {self._typed}_" if self._typed else _fitting(_HELP, width), "dim")]
        # What stands first here is the first to go where the screen is low.
        key = [Text(line) for line in output.legend_lines(legend(board, self._glyphs), width)]
        parts = {
            "head": head,
            "result": [Text(cut(one_game.result_text(record), width))],
            "blank": [Text()],
            "board": drawn,
            "move": [Text(cut(move, width), "bold")],
            "cost": [Text(line) for text in cost for line in wrap.wrap(text, width)],
            "sides": [Text(cut(line, width)) for line in self._sides()],
            "legend": key,
            "foot": foot,
        }
        for name in ("blank", "legend", "cost", "sides", "result"):
            if sum(map(len, parts.values())) <= height:
                break
            parts[name] = []
        room = height - sum(len(part) for name, part in parts.items() if name != "board")
        parts["board"] = self._body(drawn, width, room)
        return [line for part in parts.values() for line in part]

    def _body(self, drawn: list[Text], width: int, room: int) -> list[Text]:
        """The board and beside it the moves, in at most `room` lines."""
        board = drawn[: max(room, 0)]
        # A row that ends in a mark is a column wider, and the moves should not jump.
        board_width = max(drawn[-1].cell_len + 1, *(line.cell_len for line in board)) if board else 0
        moves = self._moves(width - board_width - _GAP, room) if board else self._moves(width, room)
        if not moves:
            return board
        body = []
        for number in range(max(len(board), len(moves))):
            line = board[number].copy() if number < len(board) else Text()
            if number < len(moves):
                line.append(" " * (board_width + (_GAP if board else 0) - line.cell_len))
                line.append_text(moves[number])
            body.append(line)
        return body

    def _moves(self, width: int, room: int) -> list[Text]:
        """The moves around the ply that is shown, a turn on each line; none where that is too wide."""
        words, start = self._stepped.record.moves, self._stepped.game.start
        cell = max(map(len, words), default=0)
        if not words or width < 5 + 2 * (cell + 1) or room < 1:
            return []
        opening, black = len(self._stepped.record.opening), start.side == "p2"
        cells = [Text(" " * cell)] * black + [
            Text(word.ljust(cell), "reverse" if ply == self.ply else "dim" if ply <= opening else "")
            for ply, word in enumerate(words, 1)
        ]
        rows = [
            Text.assemble((f"{start.turn + at // 2:>3}. ", "dim"), Text(" ").join(cells[at : at + 2]))
            for at in range(0, len(cells), 2)
        ]
        at = max(self.ply - 1 + black, 0) // 2
        first = min(max(at - room // 2, 0), max(len(rows) - room, 0))
        return rows[first : first + room]

    def _move(self) -> tuple[str, list[str]]:
        """What was played last; what it cost, and what the engine expected."""
        record = self._stepped.record
        if not self.ply:
            return f"the start, before ply 1 of {self._last}", []
        who = record.p1 if self._mover(self.ply) == "p1" else record.p2
        text = f"ply {self.ply} of {self._last}: {record.moves[self.ply - 1]} by {who}"
        played = self._cost(self.ply)
        if played is None:
            return f"{text} (opening)", []
        times = (("wall", played.wall_us), ("cpu", played.cpu_us), ("late", played.late_us))
        cost = [f"{name} {us / 1000:.1f} ms" for name, us in times if us is not None]
        cost += [f"{played.nodes} nodes"] * (played.nodes is not None) + ["the machine was late"] * played.flagged
        return text, [", ".join(cost), *[f"line {harmless(played.pv)}"] * bool(played.pv)]

    def _sides(self) -> list[str]:
        """A line for each player: who is to move, the clock, the last score and depth."""
        record, rules = self._stepped.record, self._stepped.game.rules
        over = self.ply == self._last and record.winner is not None
        rows = []
        for side, name in (("p1", record.p1), ("p2", record.p2)):
            plies = [each for ply in range(self.ply, 0, -1) if self._mover(ply) == side and (each := self._cost(ply))]
            to_move = not over and self._mover(self.ply + 1) == side
            who = kind_of(rules).side_name("p1" if side == "p1" else "p2")
            left_ms = plies[0].left_ms if plies else _initial_ms(record.tc)
            clock = "" if left_ms is None else f"{left_ms / 1000:.3f} s"
            figures = [f"score {plies[0].score}"] if plies and plies[0].score else []
            figures += [f"depth {plies[0].depth}"] if plies and plies[0].depth is not None else []
            rows.append((">" if to_move else " ", f"{cut(name, 30)} ({who})", clock, "  ".join(figures)))
        return output.table(rows, {2}).splitlines()

    def _mover(self, ply: int) -> str:
        """The side that plays a ply, from 1."""
        first = self._stepped.game.start.side
        return first if ply % 2 else ("p2" if first == "p1" else "p1")

    def _cost(self, ply: int) -> Ply | None:
        """What a ply cost; None in the opening."""
        record = self._stepped.record
        number = ply - 1 - len(record.opening)
        return record.plies[number] if number >= 0 else None


def step_through(stepper: GameStepper) -> None:
    """Let the reader step through a game, on a screen of its own, until he leaves. Ctrl-C leaves, too."""
    out, source = output.console(), sys.stdin.fileno()
    before = signal.signal(signal.SIGTSTP, signal.SIG_IGN)  # a stopped job would leave the terminal as it is here
    try:
        with out.screen(hide_cursor=True) as screen, keys.unechoed(source):
            pressed = [""]
            while all(map(stepper.press, pressed)):
                # rich writes on where the cursor is: at the end of the last picture, which would scroll away.
                out.control(Control.home())
                screen.update(Text("\n", no_wrap=True, overflow="crop").join(stepper.lines(*out.size)))
                pressed = keys.read(source)
    except KeyboardInterrupt:
        return
    finally:
        signal.signal(signal.SIGTSTP, before)


def _initial_ms(tc: str) -> int | None:
    """The time on a full clock; None without clocks, or where the text is another program's."""
    try:
        limit = parse(tc)
    except BadLimit:
        return None
    return limit.base_ms if limit.kind == "clock" else None


def _fitting(texts: Sequence[str], width: int) -> str:
    """The longest text that fits."""
    return next((text for text in texts if columns(text) <= width), texts[-1])
