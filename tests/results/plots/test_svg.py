"""Pictures: every name and figure is in them, they are well-formed, and nothing in a name breaks them."""

import math
import xml.etree.ElementTree as ET

from results.plots import svg
from results.plots.drawing import NARROW, Drawing, inline
from results.plots.scale import ticks
from results.plots.svg import Interval, Point

SVG = "{http://www.w3.org/2000/svg}"
ROWS = [
    Interval("alphabeta", 8.0, 6.0, math.inf, "8.0 +- 2.0"),
    Interval("a <b> & c", -3.0, -4.0, -2.0, "-3.0 +- 1.0"),
    Interval("random", -10.0, -math.inf, -8.5),
]
CURVE = svg.curve("History", [Point(0, 1, 0, 2), Point(100, 5, 4.5, 5.5)], "games", "rating")


def texts(picture: Drawing) -> list[str]:
    """What can be read in an SVG picture."""
    return [element.text or "" for element in ET.fromstring(inline(picture)).iter(f"{SVG}text")]


def test_a_picture_is_well_formed_and_names_what_it_shows() -> None:
    """Also a name with signs of its own; a browser scales what says which part of it is the picture."""
    picture = svg.intervals("Ratings", ROWS, "rating")
    assert {"alphabeta", "a <b> & c"} <= set(texts(picture))
    for each in (picture, CURVE):
        root = ET.fromstring(inline(each))
        assert (root.get("viewBox") or "").split()[2:] == [root.get("width"), root.get("height")]


def test_one_row_alone_and_equal_figures_are_drawn() -> None:
    """Nothing divides by the width of nothing."""
    assert "x" in texts(svg.intervals("t", [Interval("x", 0.0, 0.0, 0.0)], "mu"))
    one = texts(svg.curve("t", [Point(1, 20, 20, 20)], "games", "mu"))
    assert [text for text in one if text == "1" or "1." in text] == ["1"]


def test_ticks_are_few_in_order_and_within() -> None:
    """Round figures; of games they are whole numbers."""
    for low, high in ((0.0, 1.0), (-14.2, 10.9), (0.0, 1e6), (3.0, 3.0), (-1e-4, 1e-4)):
        found = ticks(low, high)
        assert found == sorted(set(found)) and 1 <= len(found) <= 12
        assert all(low - 1e-9 <= value <= high + 1e-9 for value in found)
        assert all(value == int(value) for value in ticks(1.0, high + 9, whole=True))


def test_a_band_without_an_end_reaches_the_edge() -> None:
    """What no game bounds is not drawn as if it ended somewhere, and does not make the others small."""
    open_ = [Point(1, 5, 4, math.inf), Point(2, 5, 4, math.inf)]
    picture = ET.fromstring(inline(svg.curve("t", open_, "games", "y")))
    band = next(picture.iter(f"{SVG}polygon"))
    assert [point.split(",")[1] for point in (band.get("points") or "").split()][:2] == ["24.0", "24.0"]


def test_wide_intervals_of_the_first_games_do_not_make_a_history_flat() -> None:
    """The last intervals, some points wide, take most of the picture."""
    line = [Point(at, 5, 5 - 90 / at**2, 5 + 90 / at**2) for at in range(1, 25)]
    root = ET.fromstring(inline(svg.curve("t", line, "games", "y")))
    heights = [float(p.split(",")[1]) for p in (next(root.iter(f"{SVG}polygon")).get("points") or "").split()]
    assert heights[-1] - heights[0] > 300  # the widest one is as wide as the picture
    assert heights[-7] - heights[6] > 250  # the seventh: 3.7 points, which would be 7 pixels of 180 points


def test_a_narrow_picture_has_all_names_and_is_as_narrow_as_a_telephone() -> None:
    """Names that differ at their ends only stay apart."""
    rows = [Interval(f"a-family-of-engines-{number}", 1.0, 0.0, 2.0, "+1.0 ± 1.0") for number in range(5)]
    picture = svg.intervals("t", rows, "u", NARROW)
    assert picture.width <= NARROW
    assert {shown[-1] for shown in texts(picture) if shown.startswith("a-family")} == {*"01234"}


def test_a_picture_is_told_in_words() -> None:
    """For those who do not see it."""
    assert "alphabeta 8.0 +- 2.0; a <b> & c -3.0 +- 1.0" in svg.intervals("t", ROWS, "rating").words
    assert CURVE.words == "rating by games; at the end 5.00"
