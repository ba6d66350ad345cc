"""Scales of a drawing: figures to pixels, round figures for an axis, and how wide a text is."""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """Converts figures to pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a figure."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def within(self, value: float) -> float:
        """The pixel of a figure, or the near end of the scale for one that lies beyond it."""
        return self.at(max(self.low, min(value, self.high)))


def ticks(low: float, high: float, wanted: int = 6, *, whole: bool = False) -> list[float]:
    """About `wanted` round figures from `low` to `high`. With `whole` they are whole numbers, such as games."""
    span = high - low
    if not span > 0:
        return [low]
    raw = max(span / wanted, 1.0) if whole else span / wanted
    power = 10.0 ** math.floor(math.log10(raw))
    steps = [power * factor for factor in (1, 2, 2.5, 5, 10)]
    step = next(step for step in steps if step >= raw * 0.999 and not (whole and step % 1))
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 10) for number in range(first, math.floor(high / step + 1e-9) + 1)]


def range_of(figures: Sequence[float], pad: float = 0.06) -> tuple[float, float]:
    """The least and the largest finite figure, with some room beyond them. They always differ."""
    finite = [figure for figure in figures if math.isfinite(figure)] or [0.0]
    low, high = min(finite), max(finite)
    spare = (high - low) * pad or (0.5 if low == high else 0.0)
    return low - spare, high + spare


def figure_text(value: float) -> str:
    """A figure of an axis, with a true minus sign."""
    text = f"{value:g}" if abs(value) < 1e5 else f"{value:.3g}"
    return text.replace("-", "\N{MINUS SIGN}") if value < 0 else text


def pixels(text: str) -> float:
    """About how wide a text is in a sans-serif font of 13 pixels. Fonts differ, so it is rather too wide."""
    return 13 * sum(map(_ems, text))


def _ems(sign: str) -> float:
    if sign in "iljtfrI.,:;'|!()[] ":
        return 0.36
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.05
    return 0.88 if sign in "mwMW%@+±=<>~" else 0.72 if sign.isupper() else 0.6
