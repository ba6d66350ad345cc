"""A run on a terminal: the boards of running games side by side, the other games as lines, standings so far.

It draws a `LiveRun`. This process or another one may play that run. The drawing never has more lines than the terminal,
and no line is longer than the terminal is wide.
"""

import time
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from arena.cli import output, wrap
from arena.games import board_drawing
from arena.live.boards import RunningBoards
from arena.live.state import LiveGame, LiveMachine, LiveResult, LiveRun, duration_text
from results.safe_text import harmless
from results.tables.text_width import columns, some_games
from results.variant_name import shown

MOST_BOARDS = 4
MOST_GAMES = 16
MOST_ENGINES = 20
CARD = 24, 42
"""The least and the most columns of a game with its board."""
GAP = 3
BAR = 60
PAUSED = "paused, p goes on"
FEW = 3
"""So many engines of the standings have lines before there are boards."""


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
        screen = _Screen(options.max_width, max(1, options.size.height - 1), options.encoding)
        for line in self._lines(self._state(), screen)[: screen.height]:
            yield screen.cut(line)

    def _lines(self, run: LiveRun, screen: "_Screen") -> list[Text]:
        now_ns = self._now_ns()
        top = [Text(_fitted(head(run, now_ns), screen.width, ", "), style="bold")]
        if run.paused and PAUSED not in top[0].plain:
            top.append(Text(PAUSED, style="bold"))
        if run.games and not run.status:
            top.append(_bar(run, screen))
        top += [Text(_fitted(parts, screen.width, " | ")) for parts in run.status]
        if run.machines:
            top.append(Text(_fitted(machine_texts(run.machines), screen.width, " | ")))
        end = [Text(f"withdrawn: {name}: {why}", style="red") for name, why in list(run.withdrawn.items())[-2:]]
        end += [Text(f"last: {result_text(result)}", style="dim") for result in run.last[:1]]
        room = screen.height - len(top) - len(end)
        few = 1 + min(len(run.standings), FEW) if run.standings else 0
        boards, drawn = self._cards(run, now_ns, screen, room - few)
        room -= len(boards)
        rest = [game for game in run.playing if game.slot not in drawn]
        games = _games_table(rest, run.at_once - len(drawn), now_ns, screen, room - few)
        return [*top, *boards, *games, *_standings(run, screen, room - len(games)), *end]

    def _cards(self, run: LiveRun, now_ns: int, screen: "_Screen", room: int) -> tuple[list[Text], set[int]]:
        """Lines with boards side by side, at most `room`, and the slots of the games that they show."""
        slots = {game.slot for game in run.playing}
        self._seen = {slot: game for slot, game in self._seen.items() if slot in slots}
        drawable: list[tuple[LiveGame, LiveGame, board_drawing.DrawnBoard]] = []
        for game in run.playing[:MOST_GAMES]:
            shown = game
            board = self._boards.board(game)
            if board is None and not game.fen and game.slot in self._seen:
                # A game that begins has no board for a moment. The one before stays, or the screen would jump.
                shown = self._seen[game.slot]
                board = self._boards.board(shown)
            if board is not None and len(board.rows) + 6 <= room and _board_width(board, screen) <= screen.width:
                self._seen[game.slot] = shown
                drawable.append((game, shown, board))
            if len(drawable) == MOST_BOARDS:
                break
        self._boards.forget_others((*run.playing, *self._seen.values()))
        if not drawable:
            return [], set()
        least = max(CARD[0], *(_board_width(board, screen) for _, _, board in drawable))
        least = min(least, screen.width)
        across = max(1, min(len(drawable), (screen.width + GAP) // (least + GAP)))
        down = -(-len(drawable) // across)
        if down * max(len(board.rows) + 6 for _, _, board in drawable) <= room:
            across = -(-len(drawable) // down)  # two above two, not three above one
        width = min(max(least, CARD[1]), (screen.width + GAP) // across - GAP)
        lines: list[Text] = []
        drawn: set[int] = set()
        for first in range(0, len(drawable), across):
            row = drawable[first : first + across]
            cards = [_card(shown, board, width, now_ns, screen) for _, shown, board in row]
            if len(lines) + max(map(len, cards)) > room:
                break
            lines += _side_by_side(cards, width)
            drawn |= {game.slot for game, _, _ in row}
        return lines, drawn


class _Screen:
    """The size of a terminal, and the signs that it can show."""

    def __init__(self, width: int, height: int, encoding: str) -> None:
        self.width = width
        self.height = height
        self.glyphs = board_drawing.glyphs_for(encoding)
        self.is_unicode = encoding.lower().startswith("utf")

    def cut(self, line: Text, width: int | None = None) -> Text:
        """The line, harmless and no longer than the terminal, or `width`, is wide."""
        if not line.spans:
            line.plain = harmless(line.plain)
        line.truncate(self.width if width is None else width, overflow="ellipsis" if self.is_unicode else "crop")
        line.no_wrap = True
        return line


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
    """`game 4: bob lost, illegal-move: a1 at ply 3 is not legal`."""
    loser = result.p2 if result.winner == "p1" else result.p1
    return f"game {result.number}: {loser} lost, {result.termination}{': ' * bool(result.detail)}{result.detail}"


def _fitted(parts: Sequence[str], width: int, gap: str) -> str:
    """The parts in a line. Where they are too long, the last ones are left out."""
    fitting = [harmless(part) for part in parts]
    while len(fitting) > 1 and columns(gap.join(fitting)) > width:
        fitting.pop()
    return gap.join(fitting)


def _bar(run: LiveRun, screen: _Screen) -> Text:
    width = min(BAR, screen.width)
    full = min(width, width * run.ended // max(1, run.games or 0))
    line = "━" if screen.is_unicode else "-"
    return Text.assemble((line * full, "green"), (line * (width - full) if screen.is_unicode else "", "bright_black"))


def _board_width(board: board_drawing.DrawnBoard, screen: _Screen) -> int:
    edges = len(str(len(board.rows))) + 2
    return edges + board.width * (1 + screen.glyphs.columns) + (edges if max(len(board.rows), board.width) > 9 else 0)


def _card(game: LiveGame, board: board_drawing.DrawnBoard, width: int, now_ns: int, screen: _Screen) -> list[Text]:
    """A game with its board: p2 above, p1 below, what they said of the game beside their names."""
    title = _fitted([f"game {game.number}", f"ply {game.plies}", game.last, shown(game.variant)], width, "  ")
    lines = [screen.cut(Text(title, style="dim"), width)]
    lines += _player(game, 1, width, now_ns, screen)
    lines += output.rich_text(board, screen.glyphs).split("\n")
    lines += _player(game, 0, width, now_ns, screen)
    return lines


def _player(game: LiveGame, side: int, width: int, now_ns: int, screen: _Screen) -> list[Text]:
    name, thought = (game.p1, game.p2)[side], game.thoughts[side]
    to_move = game.turn == side and game.thinking_since_ns is not None
    clock = clock_text(game.clock_ms(side, now_ns))
    left = screen.cut(
        Text(f"{'>' if to_move else ' '} {name}", style="bold" if to_move else ""), width - 1 - len(clock)
    )
    left.pad_right(max(0, width - columns(left.plain) - len(clock)))
    left.append(clock)
    depth = "" if thought.depth is None else f"d{thought.depth}"
    thinking = Text("  " + "  ".join(part for part in (thought.score, depth, thought.line) if part), style="dim")
    return [left, screen.cut(thinking, width)]


def _side_by_side(cards: Sequence[list[Text]], width: int) -> Iterable[Text]:
    for number in range(max(map(len, cards))):
        line = Text()
        for at, card in enumerate(cards):
            part = card[number] if number < len(card) else Text()
            line.append(" " * (GAP * (at > 0)))
            line.append_text(part)
            if at < len(cards) - 1:
                line.append(" " * max(0, width - columns(part.plain)))
        yield line


def _games_table(games: Sequence[LiveGame], at_once: int, now_ns: int, screen: _Screen, room: int) -> list[Text]:
    """The games without a board, a line each; `at_once` is how many they are, also where not all are known."""
    if room < 2 or not games:
        return []
    most = min(MOST_GAMES, room - 1)
    if at_once > most:
        most = max(1, most - 1)
    rows = []
    for game in games[:most]:
        clocks = " ".join(clock_text(game.clock_ms(side, now_ns)) for side in (0, 1)).strip()
        scores = " | ".join(thought.score for thought in game.thoughts).strip(" |")
        rows.append(
            [str(game.number), game.p1, game.p2, shown(game.variant), str(game.plies), game.last, clocks, scores]
        )
    titles = ["game", "p1", "p2", "variant", "ply", "last", "clocks", "scores"]
    lines = _table(titles, rows, frozenset({0, 4}))
    if at_once > len(rows) and len(lines) < room:
        lines += _plain([f"and {some_games(at_once - len(rows))} more"])
    return lines


def _standings(run: LiveRun, screen: _Screen, room: int) -> list[Text]:
    if room < 2 or not run.standings:
        return []
    most = min(MOST_ENGINES, room - 1)
    if run.engines > most:
        most = max(1, most - 1)
    rows = []
    for each in run.standings[:most]:
        counts = (each.games, each.wins, each.draws, each.losses)
        rows.append([each.name, *map(str, counts), f"{100 * each.share:.1f} %", str(each.faults or "")])
    titles = ["engine", "games", "W", "D", "L", "score", "faults"]
    figures = zip(titles[1:], *(row[1:] for row in rows), strict=True)
    room_for_names = screen.width - sum(1 + max(map(columns, column)) for column in figures)
    lines = _table(titles, rows, frozenset(range(1, 7)), widest=max(8, room_for_names))
    if run.engines > len(rows) and len(lines) < room:
        lines += _plain([f"and {run.engines - len(rows)} more"])
    return lines


def _table(
    titles: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[int], widest: int = 200
) -> list[Text]:
    cells = [[_shortened(harmless(row[0]), widest), *row[1:]] for row in rows]
    lines = wrap.table([titles, *cells], right, 1)
    return [Text(line, style="" if number else "bold") for number, line in enumerate(lines)]


def _shortened(text: str, width: int) -> str:
    """The text with its middle left out: names of one family differ at their ends, such as ab-200 and ab-800."""
    end = width // 2
    head, tail = text[: len(text) - end], text[len(text) - end :] if end else ""
    if columns(text) <= width:
        return text
    while head and columns(head) + 1 + columns(tail) > width:
        head = head[:-1]
    while tail and columns(head) + 1 + columns(tail) > width:
        tail = tail[1:]
    return f"{head}~{tail}"


def _plain(lines: Iterable[str]) -> list[Text]:
    return [Text(line, style="dim") for line in lines]


def clock_text(left_ms: int | None) -> str:
    """`4.3`, from a minute on `1:05`; empty without a clock."""
    if left_ms is None:
        return ""
    seconds = max(0, left_ms) / 1000
    if seconds < 60:
        return f"{seconds:.1f}"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
