"""A run on a terminal: the boards of running games side by side, the other games as lines, standings so far.

It draws a `LiveRun`. This process or another one may play that run. The drawing never has more lines than the terminal,
and no line is longer than the terminal is wide.
"""

import time
from collections.abc import Callable, Sequence

from rich.console import Console, ConsoleOptions, Group, OverflowMethod, RenderableType, RenderResult
from rich.progress_bar import ProgressBar
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from arena.cli import output
from arena.games import board_drawing
from arena.games.board_drawing import DrawnBoard
from arena.live.boards import RunningBoards
from arena.live.state import LiveGame, LiveMachine, LiveResult, LiveRun, duration_text
from results.safe_text import harmless
from results.tables.text_width import aligned, columns, shortened, some_games
from results.variant_name import shown

MOST_BOARDS = 4
MOST_LINES = 20
"""At most this many engines, or games without a board, are listed."""
CARD = 24, 42
"""The least and the most columns of a game with its board."""
GAP = 3
BAR = 60
PAUSED = "paused, p goes on"
FEW = 3
"""The most engines of the standings that have lines before there are boards."""


class View:
    """What is on the screen. `rich` draws it anew as often as it likes."""

    def __init__(self, state: Callable[[], LiveRun], now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        """`state` says how the run stands."""
        self._state = state
        self._now_ns = now_ns
        self._boards = RunningBoards()
        self._seen: dict[int, LiveGame] = {}
        """The last game of each slot of which the board is known."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        # One line is left for the cursor: a terminal that is full to the last line scrolls.
        height = max(1, options.size.height - 1)
        parts = self._parts(self._state(), _Screen(options, height))
        for line in console.render_lines(Group(*parts), options.update(height=None), pad=False)[:height]:
            yield from line
            yield Segment.line()

    def _parts(self, run: LiveRun, screen: "_Screen") -> list[RenderableType]:
        now_ns = self._now_ns()
        top: list[RenderableType] = [screen.fitted(head(run, now_ns), ", ", "bold")]
        if run.paused and PAUSED not in str(top[0]):
            top.append(screen.line(PAUSED, "bold"))
        if run.games and not run.status:
            done = min(1.0, max(0, run.ended) / run.games) if run.games > 0 else 0.0
            bar = ProgressBar(1.0, done, width=min(BAR, screen.width), complete_style="green")
            top.append(Group(bar, Text()))
        top += [screen.fitted(parts, " | ") for parts in run.status]
        if run.machines:
            top.append(screen.fitted(machine_texts(run.machines), " | "))
        end = [screen.line(f"withdrawn: {name}: {why}", "red") for name, why in list(run.withdrawn.items())[-2:]]
        end += [screen.line(f"last: {result_text(result)}", "dim") for result in run.last[:1]]
        room = screen.height - len(top) - len(end)
        few = 1 + min(len(run.scores), FEW) if run.scores else 0
        cards, used, drawn = self._cards(run, now_ns, screen, room - few)
        room -= used
        rest = [game for game in run.playing if game.slot not in drawn]
        games, used = _games_table(rest, len(run.playing) - len(drawn), now_ns, screen, room - few)
        return [*top, *cards, *games, *_standings(run, screen, room - used), *end]

    def _cards(
        self, run: LiveRun, now_ns: int, screen: "_Screen", room: int
    ) -> tuple[list[RenderableType], int, set[int]]:
        """Games with their boards side by side, in at most `room` lines; how many lines; the slots of these games."""
        slots = {game.slot for game in run.playing}
        self._seen = {slot: game for slot, game in self._seen.items() if slot in slots}
        drawable: list[tuple[LiveGame, DrawnBoard, Text]] = []
        for game in run.playing[:MOST_LINES]:
            board = self._boards.board(game)
            if board is None and not game.fen and game.slot in self._seen:
                # A game that begins has no board for a moment. The one before stays, or the screen would jump.
                game = self._seen[game.slot]
                board = self._boards.board(game)
            if board is not None and len(drawable) < MOST_BOARDS:
                self._seen[game.slot] = game
                text = output.rich_text(board, screen.glyphs)
                if len(board.rows) + 6 <= room and _width(text) <= screen.width:
                    drawable.append((game, board, text))
        self._boards.forget_others((*run.playing, *self._seen.values()))
        if not drawable:
            return [], 0, set()
        least = min(max(CARD[0], *(_width(text) for _, _, text in drawable)), screen.width)
        height = max(len(board.rows) for _, board, _ in drawable) + 6
        across = min(len(drawable), (screen.width + GAP) // (least + GAP))
        down = min(-(-len(drawable) // across), room // height)
        across = min(across, -(-len(drawable) // down))  # two above two, not three above one
        width = min(max(least, CARD[1]), (screen.width + GAP) // across - GAP)
        grid = Table.grid(padding=(0, GAP, 0, 0))
        for _ in range(across):
            grid.add_column(width=width)
        chosen = drawable[: across * down]
        for first in range(0, len(chosen), across):
            row = chosen[first : first + across]
            grid.add_row(*(_card(game, text, width, now_ns, screen) for game, _, text in row))
        lines = sum(
            max(len(board.rows) for _, board, _ in chosen[at : at + across]) + 6 for at in range(0, len(chosen), across)
        )
        return [grid], lines, {game.slot for game, _, _ in chosen}


class _Screen:
    """The size of a terminal, and the signs that it can show."""

    def __init__(self, options: ConsoleOptions, height: int) -> None:
        self.width = options.max_width
        self.height = height
        self.glyphs = board_drawing.glyphs_for(options.encoding)
        self.is_unicode = options.encoding.lower().startswith("utf")
        self.overflow: OverflowMethod = "ellipsis" if self.is_unicode else "crop"

    def line(self, text: str, style: str = "") -> Text:
        """A line that is cut at the edge."""
        return Text(harmless(text), style, no_wrap=True, overflow=self.overflow)

    def fitted(self, parts: Sequence[str], gap: str, style: str = "", width: int | None = None) -> Text:
        """The parts in a line. Where they are too long, the last ones are left out."""
        fitting = [harmless(part) for part in parts]
        while len(fitting) > 1 and columns(gap.join(fitting)) > (width or self.width):
            fitting.pop()
        return self.line(gap.join(fitting), style)

    def names(self, names: Sequence[str], most: int) -> list[str]:
        """The names, cut so that they can be told apart."""
        short = shortened(names, most)
        return [short[name] if self.is_unicode else short[name].replace("…", "~") for name in names]


def head(run: LiveRun, now_ns: int) -> list[str]:
    """`cup: 12 of 40 games`, `3.1 games/s`, `0:00:09 to go`, `1 fault`, `2 games with a late machine`."""
    rate = run.rate(now_ns)
    if run.games is None:
        parts = [f"{run.name}: {some_games(run.ended)}", f"{run.done} now"]
    else:
        parts = [f"{run.name}: {run.ended} of {'at most ' * run.may_end_early}{run.games} games"]
    if rate is not None:
        parts.append(f"{rate:.1f} games/s" if rate >= 1 else f"{rate * 60:.1f} games/min")
        if run.games is not None and not run.status:
            parts.append(f"{duration_text(max(0, run.games - run.ended) / rate)} to go")
    parts += [f"{run.faults} fault{'s' * (run.faults != 1)}"] * (run.faults > 0)
    parts += [f"{some_games(run.late)} with a late machine"] * (run.late > 0)
    return parts[:1] + [PAUSED] * run.paused + parts[1:]


def machine_texts(machines: Sequence[LiveMachine]) -> list[str]:
    """`m1: 2 at once, 36 games` for each machine."""
    return [f"{each.host}: {each.slots} at once, {some_games(each.games)}" for each in machines]


def result_text(result: LiveResult) -> str:
    """`4: ann - bob, callanish-9: ann, line`."""
    who = {"p1": result.p1, "p2": result.p2, "draw": "draw"}[result.winner]
    return f"{result.number}: {result.p1} - {result.p2}, {shown(result.variant)}: {who}, {result.termination}"


def fault_text(result: LiveResult) -> str:
    """`game 4: bob lost by illegal-move: a1 at ply 3 is not legal`."""
    loser = result.p2 if result.winner == "p1" else result.p1
    return f"game {result.number}: {loser} lost by {result.termination}{': ' * bool(result.detail)}{result.detail}"


def _width(board: Text) -> int:
    """The columns of a drawn board. A row that ends in a mark is a column wider, and the screen should not jump."""
    return board.split("\n")[-1].cell_len + 1


def _card(game: LiveGame, board: Text, width: int, now_ns: int, screen: _Screen) -> Group:
    """A game with its board: p2 above, p1 below, what they said of the game beside their names."""
    title = [f"game {game.number}", f"ply {game.plies}", game.last, shown(game.variant)]
    two, one = (_player(game, side, now_ns, screen) for side in (1, 0))
    board.rstrip()
    board.end = "\n"
    return Group(screen.fitted(title, "  ", "dim", width), *two, board, *one)


def _player(game: LiveGame, side: int, now_ns: int, screen: _Screen) -> tuple[Table, Text]:
    name, thought = (game.p1, game.p2)[side], game.thoughts[side]
    to_move = game.turn == side and game.thinking_since_ns is not None
    row = Table.grid(expand=True)
    row.add_column(no_wrap=True, ratio=1)
    row.add_column(no_wrap=True, justify="right")
    line = screen.line(f"{'>' if to_move else ' '} {name}", "bold" if to_move else "")
    row.add_row(line, clock_text(game.clock_ms(side, now_ns)))
    depth = "" if thought.depth is None else f"d{thought.depth}"
    return row, screen.line("  " + "  ".join(part for part in (thought.score, depth, thought.line) if part), "dim")


def _games_table(
    games: Sequence[LiveGame], at_once: int, now_ns: int, screen: _Screen, room: int
) -> tuple[list[RenderableType], int]:
    """The games without a board, a line each; `at_once` is how many they are, also where not all are known."""
    rows = []
    for game in games:
        clocks = " ".join(clock_text(game.clock_ms(side, now_ns)) for side in (0, 1)).strip()
        scores = " | ".join(thought.score for thought in game.thoughts).strip(" |")
        rows.append(
            [str(game.number), game.p1, game.p2, shown(game.variant), str(game.plies), game.last, clocks, scores]
        )
    titles = ["game", "p1", "p2", "variant", "ply", "last", "clocks", "scores"]
    return _listed(titles, rows, frozenset({0, 4}), at_once, "games", screen, room)


def _standings(run: LiveRun, screen: _Screen, room: int) -> list[RenderableType]:
    rows = []
    for each in run.standings:
        counts = (each.games, each.wins, each.draws, each.losses)
        rows.append([each.name, *map(str, counts), f"{100 * each.share:.1f} %", str(each.faults or "")])
    titles = ["engine", "games", "W", "D", "L", "score", "faults"]
    return _listed(titles, rows, frozenset(range(1, 7)), len(run.scores), "engines", screen, room)[0]


def _listed(
    titles: Sequence[str],
    rows: Sequence[list[str]],
    right: frozenset[int],
    count: int,
    what: str,
    screen: _Screen,
    room: int,
) -> tuple[list[RenderableType], int]:
    """A table of at most `room` lines, and how many it has; below it how many more there are of `count`."""
    if room < 2 or not rows:
        return [], 0
    most = min(MOST_LINES, room - 1)
    rows = rows[: max(1, most - 1)] if count > most else rows
    if "engine" in titles:  # the first column has names, which lose their middles where there is no room
        figures = [max(map(columns, column)) for column in zip(titles, *rows, strict=True)]
        names = screen.names([row[0] for row in rows], max(8, screen.width - sum(figures[1:]) - len(figures) + 1))
        rows = [[name, *row[1:]] for name, row in zip(names, rows, strict=True)]
    lines = [screen.line(line) for line in aligned([titles, *rows], right, 1)]
    lines[0].stylize("bold")
    if count > len(rows) and len(lines) < room:
        lines.append(screen.line(f"and {count - len(rows)} more {what}", "dim"))
    return [*lines], len(lines)


def clock_text(left_ms: int | None) -> str:
    """`4.3`, from a minute on `1:05`; empty without a clock."""
    if left_ms is None:
        return ""
    seconds = max(0, left_ms) / 1000
    if seconds < 60:
        return f"{seconds:.1f}"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
