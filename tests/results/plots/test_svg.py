"""Pictures: every name and figure is in them, they are well-formed, and nothing in a name breaks them."""

import itertools
import math
import re
import xml.etree.ElementTree as ET

import pytest

from results.plots import svg
from results.plots.drawing import NARROW, Drawing, document, inline
from results.plots.scale import ticks
from results.plots.svg import Interval, Point

ROWS = [
    Interval("alphabeta", 8.0, 6.0, math.inf, "8.0 +- 2.0"),
    Interval("a <b> & c", -3.0, -4.0, -2.0, "-3.0 +- 1.0"),
    Interval("random", -10.0, -math.inf, -8.5),
]
CURVES = {
    "alphabeta": [Point(0, 1, 0, 2), Point(100, 5, 4.5, 5.5)],
    "a <b> & c": [Point(0, 1, 0, 2), Point(100, 5.01, 4.5, 5.5)],
    "none": [],
}


def texts(picture: Drawing) -> list[str]:
    """What can be read in an SVG picture."""
    root = ET.fromstring(document(picture))
    return [element.text or "" for element in root.iter() if element.tag.endswith("text")]


@pytest.mark.parametrize(
    "picture",
    [svg.intervals("Ratings", ROWS, "rating"), svg.curves("History", CURVES, "games", "rating")],
)
def test_an_svg_picture_is_well_formed_and_names_what_it_shows(picture: Drawing) -> None:
    """Also a name with signs of its own."""
    found = texts(picture)
    assert {"alphabeta", "a <b> & c"} <= set(found)


def test_labels_of_curves_that_end_together_do_not_lie_on_each_other() -> None:
    """Sixteen pixels lie between them."""
    root = ET.fromstring(document(svg.curves("History", CURVES, "games", "rating")))
    heights = [float(e.get("y") or 0) for e in root.iter() if e.text in ("alphabeta", "a <b> & c")]
    assert abs(heights[0] - heights[1]) >= 16


def test_one_row_alone_and_equal_figures_are_drawn() -> None:
    """Nothing divides by the width of nothing."""
    alone = [Interval("x", 0.0, 0.0, 0.0)]
    assert "x" in texts(svg.intervals("t", alone, "mu"))
    assert "x" in texts(svg.curves("t", {"x": [Point(1, 2, 2, 2)]}, "games", "mu"))


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-14.2, 10.9), (0.0, 1e6), (3.0, 3.0), (-1e-4, 1e-4)])
def test_ticks_are_few_in_order_and_within(low: float, high: float) -> None:
    """Round figures."""
    found = ticks(low, high)
    assert found == sorted(set(found))
    assert 1 <= len(found) <= 12
    assert all(low - 1e-9 <= value <= high + 1e-9 for value in found)


@pytest.mark.parametrize(("low", "high"), [(0.5, 1.5), (1.0, 2.0), (1.0, 9.0), (1.0, 16.0), (0.0, 1e6)])
def test_games_are_told_in_whole_numbers(low: float, high: float) -> None:
    """There is no game 1.2."""
    found = ticks(low, high, whole=True)
    assert found and all(value == int(value) for value in found)


def test_the_history_of_one_game_has_one_tick() -> None:
    """The one game."""
    one = {"x": [Point(1, 20, 20, 20)]}
    assert [text for text in texts(svg.curves("t", one, "games", "y")) if text == "1" or "1." in text] == ["1"]


@pytest.mark.parametrize(
    "picture",
    [svg.intervals("t", ROWS, "u"), svg.curves("t", CURVES, "x", "y")],
)
def test_a_picture_shrinks_with_the_window(picture: Drawing) -> None:
    """A browser scales what says which part of it is the picture, and cuts off what does not."""
    for form in (document(picture, ["a note"]), inline(picture)):
        root = ET.fromstring(form)
        assert (root.get("viewBox") or "").split()[2:] == [root.get("width"), root.get("height")]


SVG = "{http://www.w3.org/2000/svg}"
CROWD = {
    f"engine {number}": [Point(0, number % 3, -9, 9), Point(9, 5 - number % 2 / 100, 4, 6)] for number in range(16)
}


def key(picture: Drawing) -> dict[str, list[ET.Element]]:
    """By name, what leads from a curve's end to it: the leader, the sample of its line, the sample of its mark."""
    groups = ET.fromstring(inline(picture)).iter(f"{SVG}g")
    return {label.text or "": rest for *rest, label in (list(group) for group in groups)}


def test_sixteen_curves_are_told_apart_without_colour() -> None:
    """Beside each name is its line with its mark, and no two of these are alike; so are the curves drawn."""
    picture = svg.curves("t", CROWD, "x", "y")
    found = key(picture)
    assert list(CROWD) == sorted(found, key=lambda name: int(name.split()[1]))
    looks = set()
    for _, line, mark in found.values():
        shape = re.sub("^M[^a-zA-Z]*", "", mark.get("d") or "circle")
        looks.add((line.get("stroke-dasharray"), shape, mark.get("fill")))
    assert len(looks) == len(CROWD)
    curves = [line.get("stroke-dasharray") for line in ET.fromstring(inline(picture)).iter(f"{SVG}polyline")]
    assert curves == [found[name][1].get("stroke-dasharray") for name in CROWD]


def test_a_line_leads_from_the_end_of_each_curve_to_its_name() -> None:
    """Names stand in the order of the ends, as near to them as they can, apart, and inside the picture."""
    picture = svg.curves("t", CROWD, "x", "y")
    ends = [
        line.get("points", "").split()[-1].replace(",", " ")
        for line in ET.fromstring(inline(picture)).iter(f"{SVG}polyline")
    ]
    heights = {}
    for end, (name, (leader, sample, _)) in zip(ends, ((name, key(picture)[name]) for name in CROWD), strict=True):
        drawn = leader.get("d") or ""
        assert drawn.startswith(f"M{end}L") and (sample.get("d") or "").startswith("M" + drawn.partition("L")[2])
        heights[name] = float(drawn.split()[-1]), float(end.split()[1])
    labels = sorted(heights.values())
    assert all(below[0] - above[0] >= 15.9 and below[1] >= above[1] for above, below in itertools.pairwise(labels))
    assert labels[0][0] >= 20 and labels[-1][0] <= picture.height - 40
    middle = sum(label - end for label, end in labels) / len(labels)
    assert middle == pytest.approx(0, abs=60)  # not all of them below, as where they are only pushed down


def test_a_band_without_an_end_reaches_the_edge_and_is_explained() -> None:
    """What no game bounds is not drawn as if it ended somewhere, and does not make the others small."""
    open_ = {"x": [Point(1, 5, 4, math.inf), Point(2, 5, 4, math.inf)]}
    picture = ET.fromstring(document(svg.curves("t", open_, "games", "y"), ["why it does"]))
    band = next(picture.iter(f"{SVG}polygon"))
    assert [point.split(",")[1] for point in (band.get("points") or "").split()][:2] == ["24.0", "24.0"]
    assert {"why it does", "5"} <= {element.text for element in picture.iter(f"{SVG}text")}
    assert svg.leaves(open_) and not svg.leaves({"x": [Point(1, 5, 4, 6)]})


def test_five_curves_have_bands_whose_edges_differ_and_six_have_a_bar_at_each_mark() -> None:
    """Many areas would hide each other; a bar belongs to the mark that it goes through."""
    few = {name: CROWD[name] for name in list(CROWD)[: svg.MOST_BANDS]}
    root = ET.fromstring(inline(svg.curves("t", few, "x", "y")))
    edges = [e.get("stroke-dasharray") for e in root.iter(f"{SVG}path") if "band" in (e.get("class") or "")]
    assert len(edges) == len(set(edges)) == len(few) == len(list(root.iter(f"{SVG}polygon")))
    root = ET.fromstring(inline(svg.curves("t", {**few, "more": CROWD["engine 9"]}, "x", "y")))
    assert not list(root.iter(f"{SVG}polygon"))
    assert sum("bar" in (e.get("class") or "") for e in root.iter(f"{SVG}path")) == len(few) + 1


def test_wide_intervals_of_the_first_games_do_not_make_a_history_flat() -> None:
    """The last intervals, some points wide, take most of the picture."""
    line = [Point(at, 5, 5 - 90 / at**2, 5 + 90 / at**2) for at in range(1, 25)]
    root = ET.fromstring(inline(svg.curves("t", {"x": line}, "games", "y")))
    heights = [float(p.split(",")[1]) for p in (next(root.iter(f"{SVG}polygon")).get("points") or "").split()]
    assert heights[-1] - heights[0] > 300  # the widest one is as wide as the picture
    assert heights[-7] - heights[6] > 250  # the seventh: 3.7 points, which would be 7 pixels of 180 points
    assert svg.leaves({"x": line})


@pytest.mark.parametrize("count", [2, 5])
def test_a_narrow_picture_has_all_names_and_is_as_narrow_as_a_telephone(count: int) -> None:
    """Letters are as large as in the wide one."""
    names = [f"a-family-of-engines-{number}" for number in range(count)]
    rows = [Interval(name, 1.0, 0.0, 2.0, "+1.0 ± 1.0") for name in names]
    history = {name: [Point(1, 2, 1, 3), Point(9, 2, 1, 3)] for name in names}
    for picture in (svg.intervals("t", rows, "u", NARROW), svg.curves("t", history, "x", "y", NARROW)):
        assert picture.width <= NARROW
        drawn = {shown[-1] for shown in texts(picture) if shown.startswith("a-family")}
        assert drawn == {*map(str, range(count))}, "names that differ at their ends only stay apart"


def test_a_picture_is_told_in_words() -> None:
    """For those who do not see it."""
    assert "alphabeta 8.0 +- 2.0; a <b> & c -3.0 +- 1.0" in svg.intervals("t", ROWS, "rating").words
    assert "at the end: alphabeta 5.00; a <b> & c 5.01" in svg.curves("t", CURVES, "games", "rating").words
