"""Checks H: what is told about a search."""

from collections.abc import Iterator

from arena.conformance.check import N, check, m
from arena.conformance.checked_engine import SearchAnswer
from arena.conformance.context import CheckContext, applies, require
from arena.conformance.judge.positions import GamePosition
from arena.conformance.violation import Violation, quoted
from arena.games.game_words import canonical_word
from arena.games.illegal import why_illegal
from protocol.messages import Info

_PER_SECOND = 200
_BYTES = 1 << 20
_ODD_NODES = (150, 400, 900, 2_000)
_LONG_MS = 1_200
_CLEAR = 200
"""The score in hundredths from which it is clear who is ahead."""


def _answers(ctx: CheckContext) -> tuple[SearchAnswer, ...]:
    """The searches of the ordinary session that had an info. Raises NotApplicable if none had."""
    answers = tuple(answer for answer in ctx.ordinary.answers if answer.infos)
    applies(answers, "it never says `info`")
    return answers


def _infos(ctx: CheckContext) -> Iterator[tuple[bytes, Info]]:
    for answer in _answers(ctx):
        for each in answer.lines:
            if isinstance(each.message, Info):
                yield each.raw, each.message


@check(
    "H1", "9.2", m, "all numbers of an info are whole and not negative", "`time 0.5`, `nps inf`, `nan`",
)  # fmt: skip
def counts_in_integers(ctx: CheckContext) -> str:
    return f"{len(_without_problems(ctx, about_score=False))} infos"


@check("H2", "9.2", m, "a score is `cp` or `mate` and a whole number", "`score 54`, `score cp -INFINITE`")
def scores_in_integers(ctx: CheckContext) -> str:
    scores = sum(info.score is not None for info in _without_problems(ctx, about_score=True))
    applies(scores, "it never says `score`")
    return f"{scores} scores"


def _without_problems(ctx: CheckContext, *, about_score: bool) -> list[Info]:
    """All infos. Raises Violation for one that has a problem with its score, or with anything else."""
    infos = list(_infos(ctx))
    for raw, info in infos:
        wrong = [problem for problem in info.problems if problem.startswith("score") is about_score]
        require(not wrong, f"{quoted(raw)}: {'; '.join(wrong)}")
    return [info for _, info in infos]


@check(
    "H3", "9.2", m, "`score mate` counts plies, from the side of the mover", "it counts moves, or is always p1's",
    needs=("H4",),
)  # fmt: skip
def mates_in_plies(ctx: CheckContext) -> str:
    engine, scores = ctx.new_engine(), 0
    for special in ctx.book.specials:
        if special.plies is None:
            continue
        info = ctx.move(engine, "nodes 5000", special.position).exact
        if info is None or info.score is None or info.score.kind != "mate":
            continue
        scores += 1
        value, right = info.score.value, special.plies
        text = f"it says mate {value} but the end is {right} plies away: {ctx.line(special.position).position.fen()}"
        require((value > 0) == (right > 0) and abs(value) >= abs(right), text)
    applies(scores, "it never says `score mate`")
    return f"{scores} positions"


@check(
    "H4", "9.2", m, "`score cp` is from the side of the mover",
    "it is always p1's; or the search is of one ply and so thinks well of whoever moved last",
    needs=("G2",),
)  # fmt: skip
def scores_for_the_mover(ctx: CheckContext) -> str:
    engine, agree, clear, any_info = ctx.new_engine(), 0, 0, False
    for position in ctx.book.positions(ctx.repeats(30, 100), late=True):
        answer = ctx.move(engine, "nodes 400", position)
        any_info = any_info or bool(answer.infos)
        after = GamePosition(position.fen, (*position.moves, ctx.legal(answer)))
        before = _side_ahead(answer)
        if before is None or ctx.line(after).outcome is not None:
            continue
        then = _side_ahead(ctx.move(engine, "nodes 400", after))
        if then is not None:
            clear += 1
            agree += then != before
    applies(any_info, "it never says `info`")
    applies(clear >= 5, "it is hardly ever clear who it thinks is ahead")
    require(
        agree * 2 > clear, f"in {clear - agree} of {clear} positions the score has the same sign after its own move"
    )
    return f"{agree} of {clear} pairs"


def _side_ahead(answer: SearchAnswer) -> bool | None:
    """True if the score says that the mover is ahead, None if it does not say so clearly."""
    info = answer.exact
    if info is None or info.score is None:
        return None
    far = info.score.kind == "mate" or abs(info.score.value) >= _CLEAR
    return info.score.value > 0 if far else None


@check(
    "H5", "9.3", m, "every move of a pv can be played, and none after the end of the game", "tails from a table",
    needs=("G2", "H6"),
)  # fmt: skip
def tells_legal_lines(ctx: CheckContext) -> str:
    lines = 0
    for answer in _answers(ctx):
        for info in answer.infos:
            line = ctx.line(answer.position)
            for ply, word in enumerate(info.pv, 1):
                legal = canonical_word(line, word.lower())
                if legal is None:
                    where = f"{line.position.fen()}, pv {' '.join(info.pv[:8])}"
                    why = why_illegal(line, word.lower())
                    raise Violation(f"move {ply} of the pv, {word}, is not legal in {where}: {why}")
                line.play(word.lower())
            lines += bool(info.pv)
    applies(lines, "it never says `pv`")
    return f"{lines} lines"


@check(
    "H6", "9.3", m, "the bestmove is the first move of the last pv", "an older line is printed, or a newer move",
    needs=("G2",),
)  # fmt: skip
def plays_its_line(ctx: CheckContext) -> str:
    searches = 0
    engine = ctx.new_engine()
    # Most of these searches end in the middle of a depth.
    positions = enumerate(ctx.book.positions(ctx.repeats(32, 80)))
    more = [ctx.move(engine, f"nodes {_ODD_NODES[number % 4]}", position) for number, position in positions]
    for answer in (*_answers(ctx), *more):
        lines = [i.pv for i in answer.infos if i.pv and i.multipv in (None, 1) and not (i.score and i.score.bound)]
        if lines:
            searches += 1
            require(lines[-1][0].lower() == answer.word, f"the pv begins with {lines[-1][0]}, bestmove {answer.word}")
    applies(searches, "it never says `pv`")
    return f"{searches} searches"


@check(
    "H7", "9.1", m, "before each bestmove comes an info with depth, score, nodes and time", "a line for each of them",
)  # fmt: skip
def tells_depth_score_nodes_time(ctx: CheckContext) -> str:
    answers = ctx.ordinary.answers
    for answer in answers:
        whole = [i for i in answer.infos if None not in (i.depth, i.score, i.nodes, i.time_ms)]
        require(bool(whole), f"`go {answer.limit}` brought no info with all four")
    return f"{len(answers)} searches"


@check(
    "H8", "9.1", N, "nodes and time never fall in a search, and time is what a clock says", "time since the start",
)  # fmt: skip
def counts_forwards(ctx: CheckContext) -> str:
    worst = 0.0
    _tells_milliseconds(ctx)
    for answer in _answers(ctx):
        infos = [info for info in answer.infos if info.multipv in (None, 1)]
        for name in ("nodes", "time_ms"):
            values = [getattr(info, name) for info in infos if getattr(info, name) is not None]
            require(values == sorted(values), f"{name} falls in a search: {values[:12]}")
        times = [info.time_ms for info in infos if info.time_ms is not None]
        if times:
            over_ms = times[-1] - answer.elapsed_ms
            worst = max(worst, over_ms)
            allowed_ms = 50 + answer.elapsed_ms / 10
            require(over_ms <= allowed_ms, f"it reports {times[-1]} ms for a search of {answer.elapsed_ms:.0f} ms")
    return f"{worst:+.0f} ms at most"


def _tells_milliseconds(ctx: CheckContext) -> None:
    """The time of an info that comes late in a search is about the time of its coming."""
    answer = ctx.move(ctx.new_engine(), f"movetime {_LONG_MS}")
    start_ns = answer.lines[-1].at_ns - answer.elapsed_ms * 1e6
    for each in answer.lines:
        if isinstance(each.message, Info) and each.message.time_ms is not None:
            came_ms = (each.at_ns - start_ns) / 1e6
            late = came_ms > _LONG_MS / 3
            at_ms = each.message.time_ms
            require(not late or at_ms > came_ms / 10, f"an info came after {came_ms:.0f} ms and tells of {at_ms} ms")


@check("H9", "9.1", m, "no more than 200 infos a second and 1 MiB a search", "it tells of every node")
def limits_infos(ctx: CheckContext) -> str:
    most = 0
    for answer in _answers(ctx):
        lines = sum(isinstance(each.message, Info) for each in answer.lines)
        # A short search may send the infos of all its depths at once.
        allowed = max(_PER_SECOND, _PER_SECOND * answer.elapsed_ms / 1_000)
        require(lines <= allowed, f"{lines} infos in {answer.elapsed_ms:.0f} ms")
        size = sum(len(each.raw) for each in answer.lines)
        require(size <= _BYTES, f"{size} bytes in one search")
        most = max(most, lines)
    return f"at most {most} in a search"


@check(
    "H11", "9.2", m, "multipv, currmove and pv have the values that they need", "multipv from 0, no word",
    needs=("B11", "E1"),
)  # fmt: skip
def tells_wellformed(ctx: CheckContext) -> str:
    count = 0
    for raw, info in _infos(ctx):
        words = raw.decode("ascii", "replace").split(" string ")[0].split()
        if "pv" in words:
            count += 1
            others = [w for w in words[words.index("pv") + 1 :] if not ctx.rules.wellformed(w)]
            require(not others, f"{quoted(raw, 120)}: {others[:1]} in the pv is no move in lower case")
        if "multipv" in words:
            count += 1
            require(info.multipv is not None and info.multipv >= 1, f"{quoted(raw)}: multipv counts from 1")
        for word, needs in (("currmove", "a move"), ("currmovenumber", "a number")):
            if word in words:
                count += 1
                value = words[words.index(word) + 1] if words.index(word) + 1 < len(words) else ""
                right = value.isdigit() if needs == "a number" else ctx.rules.wellformed(value.lower())
                require(right, f"{quoted(raw)}: {word} needs {needs}")
    applies(count, "it says neither multipv nor currmove nor pv")
    return f"{count} words"
