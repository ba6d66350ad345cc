"""The small figures of one game, ply by ply: what both engines said of it, and the time that they took.

Both have a marker for one ply, which a script can move without drawing anew: the root element has `data-left` and
`data-step`, and the marker of ply n belongs at left + n step. It stands after the last ply at first.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from results.eval_disagreement import MATE_CP, centipawns
from results.plots.drawing import Drawing, colour, grid, pairs, soft, text
from results.plots.scale import Scale, figure_text, pixels, ticks
from results.tables.text_width import cut

WIDTH = 480
"""Width of these figures in pixels."""
CLIP_CP = 1000
"""Scores beyond this many centipawns are drawn at the edge."""
_MATES_CP = MATE_CP // 2
"""A score beyond this is a win or a loss in so many plies."""
_LEFT, _TOP, _BOTTOM = 58, 40, 190
_SAMPLE = 26
_DASHES = ("", " stroke-dasharray='6 3'")

Names = tuple[str, str]
"""The engines, p1 before p2."""


def evaluation(title: str, names: Names, scores: Sequence[str | None], first: int = 0) -> Drawing:
    """Both engines' scores by ply, from p1's point of view, a full line for p1 and a dashed one for p2.

    `scores` are as the movers said them: `cp 31`, `mate -4`, None for nothing, which leaves a gap. The first is that of
    p1, or of p2 if `first` is 1. Large scores are drawn at the edge; a triangle marks where one begins to see a win or
    a loss.
    """
    values = [centipawns(score) for score in scores]
    for_p1 = [value if value is None or _mover(ply, first) == 0 else -value for ply, value in enumerate(values, 1)]
    finite = [abs(value) for value in for_p1 if value is not None and abs(value) < _MATES_CP]
    most = max(100, min(CLIP_CP, max(finite, default=0)))
    across, up = _across(len(scores)), Scale(-most, most, _BOTTOM, _TOP)
    parts = [*_key(names, _sample_line)]
    parts += _levels(across, up, lambda value: ("+" if value > 0 else "") + figure_text(value))
    parts += _plies(across, len(scores), "ply; above 0: better for p1, in centipawns")
    words = []
    for side in (0, 1):
        own = [(ply, value) for ply, value in enumerate(for_p1, 1) if _mover(ply, first) == side]
        runs = [list(run) for is_known, run in groupby(own, key=lambda each: each[1] is not None) if is_known]
        for run in runs:
            places = [(across.at(ply), up.within(value)) for ply, value in run if value is not None]
            if len(places) == 1:  # a score between two gaps
                (x, y), *_ = places
                parts.append(f"<circle {colour(side)} cx='{x:.1f}' cy='{y:.1f}' r='2.5' fill='currentColor'/>")
                continue
            line = f"fill='none' stroke='currentColor' stroke-width='2'{_DASHES[side]}"
            parts.append(f"<polyline {colour(side)} points='{pairs(places)}' {line}/>")
        parts += _mates(side, own, across, up)
        words.append(f"{names[side]}: {_last_score(own)}")
    return _drawing(title, "Scores by ply", words, parts, across, len(scores))


def move_times(title: str, names: Names, times_ms: Sequence[float | None], first: int = 0) -> Drawing:
    """The time of each move in milliseconds as a bar: those of p1 go up, those of p2 go down. None leaves a gap."""
    most = max((time for time in times_ms if time is not None), default=0) or 1
    across, up = _across(len(times_ms)), Scale(-most, most, _BOTTOM, _TOP)
    broad = max(1.0, min(12.0, 0.7 * (across.at(1) - across.at(0))))
    parts = [*_key(names, _sample_bar)]
    parts += _levels(across, up, lambda value: _time(abs(value)) if value else "0")
    words = []
    for side in (0, 1):
        own = [(ply, time) for ply, time in enumerate(times_ms, 1) if _mover(ply, first) == side and time is not None]
        bars = "".join(
            f"M{across.at(ply):.1f} {up.at(0):.1f}V{up.at(time if side == 0 else -time):.1f}" for ply, time in own
        )
        parts += [f"<path {colour(side)} d='{bars}' stroke='currentColor' stroke-width='{broad:.1f}'/>"] if bars else []
        slowest = max(own, key=lambda each: each[1], default=None)
        tale = "no times" if slowest is None else f"slowest at ply {slowest[0]} with {_time(slowest[1])}"
        words.append(
            f"{names[side]}: {len(own)} move{'s' * (len(own) != 1)} in {_time(sum(time for _, time in own))}, {tale}"
        )
    parts += _plies(across, len(times_ms), "ply; time of each move")
    return _drawing(title, "Time by ply", words, parts, across, len(times_ms))


def _drawing(title: str, about: str, words: Sequence[str], parts: Sequence[str], across: Scale, plies: int) -> Drawing:
    left = across.at(0)
    line = f"<path d='M0 {_TOP - 6}V{_BOTTOM + 4}' stroke='currentColor' stroke-width='1.5' stroke-opacity='0.8'/>"
    marker = f"<g class='at' transform='translate({across.at(plies):.2f} 0)'>{line}"
    marker += f"<path d='M-5 {_TOP - 12}h10l-5 7z' fill='currentColor'/></g>"
    data = {"left": round(left, 3), "step": round(across.at(1) - left, 5)}
    return Drawing(title, f"{about}. {'; '.join(words)}", WIDTH, _BOTTOM + 44, (*parts, marker), data)


def _mover(ply: int, first: int) -> int:
    return (ply - 1 + first) % 2


def _across(plies: int) -> Scale:
    return Scale(0, max(1, plies) + 0.5, _LEFT, WIDTH - 12)


def _levels(across: Scale, up: Scale, words: Callable[[float], str]) -> Iterator[str]:
    for value in (up.low, 0, up.high):
        y = up.at(value)
        yield grid(f"M{_LEFT} {y:.1f}H{across.end:.1f}", heavy=value == 0)
        yield soft(_LEFT - 8, y + 4, words(value), "end")


def _plies(across: Scale, plies: int, unit: str) -> Iterator[str]:
    for value in ticks(0, max(1, plies), 8, whole=True):
        yield soft(across.at(value), _BOTTOM + 17, figure_text(value), "middle")
    yield soft((_LEFT + WIDTH - 12) / 2, _BOTTOM + 36, unit, "middle")


def _key(names: Names, sample: Callable[[int, float, float], str]) -> Iterator[str]:
    x = 8.0
    for side, name in enumerate(names):
        label = f"{cut(name, 20)} (p{side + 1})"
        yield f"<g>{sample(side, x, 14)}{text(x + _SAMPLE + 6, 18, label)}</g>"
        x += _SAMPLE + 22 + pixels(label)


def _sample_line(side: int, x: float, y: float) -> str:
    line = f"stroke='currentColor' stroke-width='2'{_DASHES[side]}"
    return f"<path {colour(side)} d='M{x:.1f} {y}h{_SAMPLE}' {line}/>"


def _sample_bar(side: int, x: float, y: float) -> str:
    """Three bars on a line, upwards or downwards."""
    base, up = y + (5, -5)[side], (-1, 1)[side]
    ends = "".join(f"M{x + 5 + 8 * place:.1f} {base}v{up * height}" for place, height in enumerate((6, 10, 4)))
    line = grid(f"M{x:.1f} {base}h{_SAMPLE}", heavy=True)
    return f"{line}<path {colour(side)} d='{ends}' stroke='currentColor' stroke-width='5'/>"


def _mates(side: int, own: Sequence[tuple[int, int | None]], across: Scale, up: Scale) -> Iterator[str]:
    """A triangle at each ply at which an engine begins to see a win or a loss."""
    before = 0
    for ply, value in own:
        now = 0 if value is None or abs(value) < _MATES_CP else (1 if value > 0 else -1)
        if now and now != before:
            shape = f"M{across.at(ply):.1f} {up.within(now * MATE_CP) - 7 * now:.1f}l5 {9 * now}h-10z"
            yield f"<path {colour(side)} d='{shape}' fill='currentColor'/>"
        before = now


def _last_score(own: Sequence[tuple[int, int | None]]) -> str:
    """The last score in words, from p1's point of view."""
    known = [(ply, value) for ply, value in own if value is not None]
    if not known:
        return "no scores"
    ply, value = known[-1]
    if abs(value) < _MATES_CP:
        return f"{value:+} centipawns for p1 at ply {ply}"
    return f"sees a win of {'p1' if value > 0 else 'p2'} at ply {ply}"


def _time(ms: float) -> str:
    if ms < 999.5:
        return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.2g} ms"
    if ms < 119_500:
        return f"{ms / 1000:.3g} s"
    return f"{ms / 60_000:.0f} min" if ms >= 599_000 else f"{ms / 60_000:.1f} min"
