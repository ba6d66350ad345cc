"""Running games as plain values for a browser, and what has changed in them since.

A browser gets a game anew when something of it has changed, as values and not as a picture, so that a thousand viewers
cost little. Every text of a stranger is made harmless here.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from arena.games import board_svg
from arena.games.board_drawing import DrawnBoard
from arena.games.kind import GameKind
from arena.games.squares import EMPTY
from arena.live.boards import RunningBoards
from arena.live.state import MS, LiveGame, LiveRun
from arena.web.pages.game import score_text
from results.eval_disagreement import centipawns
from results.plots.game_figures import CLIP_CP
from results.safe_text import harmless
from results.variant_name import shown

GameValues = Mapping[str, object]
"""A game by the names that the script of the page knows."""
MOST_GAMES = 64
"""A page has at most so many running games."""
_LONGEST_LINE = 80
_QUIET = frozenset({"left", "turn", "since", "thoughts"})
"""What changes while an engine thinks; it can wait a moment, unlike a move."""


class LiveGames:
    """Makes the values of running games. Boards are kept, and only new moves are played on them."""

    def __init__(self) -> None:
        self._boards = RunningBoards()
        self._seen: dict[str, tuple[LiveGame, DrawnBoard]] = {}
        """The last game of each place of which the board is known."""
        self.boards: list[DrawnBoard | None] = []
        """Those of the values that were made last."""

    def values(self, runs: Sequence[LiveRun]) -> list[GameValues]:
        """The games of these runs that are being played, in the order of the page."""
        values: list[GameValues] = []
        self.boards = []
        seen: dict[str, tuple[LiveGame, DrawnBoard]] = {}
        for run in runs:
            for game in run.playing[: MOST_GAMES - len(values)]:
                place = f"g{run.run[:16]}-{game.slot}"
                board = self._boards.board(game)
                if board is None and not game.fen and place in self._seen:
                    # A game that begins has no board for a moment. The one before stays so long, or the page would
                    # flicker.
                    game, board = self._seen[place]
                if board is not None:
                    seen[place] = game, board
                self.boards.append(board)
                values.append(_values(place, run, game, board, self._boards.first_side(game)))
        self._seen = seen
        playing = [game for run in runs for game in run.playing]
        self._boards.forget_others((*playing, *(game for game, _ in seen.values())))
        return values


def _values(place: str, run: LiveRun, game: LiveGame, board: DrawnBoard | None, first_side: int) -> GameValues:
    first = (first_side + len(game.opening)) % 2
    return {
        "place": place,
        "id": game.id,
        "run": run.run,
        "number": game.number,
        "variant": harmless(shown(game.variant)),
        "names": [harmless(game.p1), harmless(game.p2)],
        "tc": harmless(game.tc),
        "ply": game.plies,
        "move": harmless(game.last),
        "frame": "" if board is None else _frame(board.kind, board.width, len(board.rows), board.marked),
        "width": board.width if board is not None else 0,
        "squares": "".join(board.rows) if board is not None else "",
        "game": board.kind.name if board is not None else "",
        "marked": sorted(board.marked) if board is not None else [],
        "last": list(board.last) if board is not None else [],
        "left": list(game.left_ms),
        "turn": game.turn,
        "since": None if game.thinking_since_ns is None else game.thinking_since_ns // MS,
        "thoughts": [
            [harmless(score_text(each.score)), each.depth, harmless(each.line[:_LONGEST_LINE])]
            for each in game.thoughts
        ],
        "begin": len(game.opening),
        "first": first,
        "scores": [_points(score, (first + at) % 2) for at, score in enumerate(game.scores)],
    }


@lru_cache
def _frame(kind: GameKind, width: int, height: int, marked: frozenset[str]) -> str:
    """The picture of the empty board, which a browser fills."""
    return board_svg.inline(DrawnBoard(kind, (EMPTY * width,) * height, marked))


def _points(score: str, side: int) -> int | None:
    """A score in centipawns from p1's point of view, clipped; None where there is none."""
    value = centipawns(score)
    if value is None:
        return None
    return max(-CLIP_CP, min(CLIP_CP, -value if side else value))


def changes(old: Sequence[GameValues], new: Sequence[GameValues]) -> tuple[list[GameValues], bool]:
    """The games that a browser needs which knows `old`, and whether any of that is more than time and thoughts.

    A game has the picture of the empty board only where its place has another one.
    """
    known = {game["place"]: game for game in old}
    news: list[GameValues] = []
    for game in new:
        before = known.get(game["place"], {})
        if game != before:
            is_drawn = before.get("frame") == game["frame"]
            news.append({name: value for name, value in game.items() if not (is_drawn and name == "frame")})
    return news, _settled(old) != _settled(new)


def _settled(games: Sequence[GameValues]) -> list[GameValues]:
    return [{name: value for name, value in game.items() if name not in _QUIET} for game in games]
