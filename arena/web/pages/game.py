"""The page of a game: its board at each ply, its moves and their costs, both engines' scores, and why it ended."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from markupsafe import Markup

from arena.games import board_svg
from arena.games.board_drawing import DrawnBoard
from arena.games.game_boards import boards_of_game
from arena.games.game_boards import pictures as pictures_of
from arena.games.illegal import why_lost
from arena.games.line import Unplayable, replay
from arena.games.rules import Rules
from arena.games.variants import kind_of
from arena.imports.replay import written
from arena.web import figures
from arena.web.pages.source import Choice, Key, Page, PageSource
from results.export import Format, export, points
from results.record import GameRecord, faulty, illegal_word
from results.tables.one_game import clock_text, evidence_rows, remarks


def game_page(source: PageSource, choice: Choice, run_id: str, number: Key) -> Page | None:
    """The page of a game; None where there is none of this number. Raises StoreError."""
    run, privacy = source.run(run_id), source.privacy
    if run is None or source.store.id_of(run.id, int(number)) is None:
        return None
    record = source.store.game(int(number), run.id)
    public = privacy.record(record)
    first, why = int(record.mover(1) == "p2"), why_lost(record.variant, record.fen, record.moves, illegal_word(record))
    rules: tuple[str, ...] = ()
    pictures: tuple[tuple[str, Markup, Markup], ...] = ()
    try:
        game, positions = replay(record.variant, record.fen, record.moves)
        picture, unplayable = picture_of(boards_of_game(game, positions)), ""
        rules = kind_of(game.rules).short_rules(game.rules, game.start)
        pictures = _pictures(game.rules)
    except Unplayable as error:
        picture, unplayable = None, str(error)
    names = (record.p1, record.p2)
    costs = [*(None for _ in record.opening), *record.plies]
    movers = [record.mover(ply) for ply in range(1, len(costs) + 1)]
    evidence = public.evidence
    previous, following = _neighbours(source, run.id, record.number)
    return Page(
        record=public,
        run_name=run.name,
        loser_name=faulty(record) or "",
        clock=clock_text(record),
        remarks=[*[f"illegal move: {why}"] * bool(why), *remarks(record)],
        moves=list(zip(movers, record.moves, costs, strict=True)),
        board=picture,
        unplayable=unplayable,
        rules=rules,
        pictures=pictures,
        scores=figures.scores(names, [None if ply is None else ply.score for ply in costs], first),
        times=figures.times(names, [None if ply is None else ply.wall_us / 1000 for ply in costs], first),
        evidence=[] if evidence is None else list(evidence_rows(public, evidence)),
        is_cut=privacy.hide and evidence != record.evidence,
        previous=previous,
        next=following,
    )


@lru_cache(maxsize=32)
def _pictures(rules: Rules) -> tuple[tuple[str, Markup, Markup], ...]:
    """The pictures of the special rules. Cached, since all games of a run have the same ones."""
    return tuple(
        (caption, Markup(board_svg.inline(before)), Markup(board_svg.inline(after)))
        for caption, before, after in pictures_of(rules)
    )


def _neighbours(source: PageSource, run_id: str, number: int) -> tuple[int | None, int | None]:
    """The numbers of the games before and after this one, as far as they have pages."""
    if (briefs := source.briefs) is None:
        there = [each > 0 and source.store.id_of(run_id, each) is not None for each in (number - 1, number + 1)]
        return number - 1 if there[0] else None, number + 1 if there[1] else None
    numbers = source.kept("numbers", run_id, lambda: [brief.number for brief in briefs if brief.run == run_id])
    at = bisect_left(numbers, number)
    return numbers[at - 1] if at else None, numbers[at + 1] if at + 1 < len(numbers) else None


def picture_of(boards: Sequence[DrawnBoard]) -> Page:
    """The last position, drawn, and what a script needs: the size, the first position, and what each ply changes."""
    last = boards[-1]
    letters = ["".join(board.rows) for board in boards]
    changes = [changed_squares(before, after) for before, after in pairwise(letters)]
    data = {"width": last.width, "start": letters[0], "changes": changes}
    return Page(svg=Markup(board_svg.inline(last)), data=data)


def changed_squares(before: str, after: str) -> list[int | str]:
    """The squares that differ between two boards of equal size, by their places, each followed by its new letter."""
    return [part for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new for part in (at, new)]


def game_text(record: GameRecord, run_name: str, kind: str) -> str:
    """The game as `pgn` or `json`, as `arena export` writes it."""
    form: Format = "pgn" if kind == "pgn" else "jsonl"
    return "".join(export([record], form, {record.run: run_name}, written))


def score_text(score: str | None) -> str:
    """`cp 31` as `+0.31`, `mate -4` as `-M4`; any other text as it is."""
    return points(score) or score or ""
