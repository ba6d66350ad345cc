"""Drawings in both forms: a part of a page with a strict policy, and a document of its own."""

import re
import xml.etree.ElementTree as ET

from results.plots import svg
from results.plots.drawing import SHEET, inline
from results.plots.game_figures import evaluation, move_times
from results.plots.llr import llr
from results.plots.svg import Interval, Point

HOSTILE = "<script>alert('1')</script>&\x1b[1m"
DRAWINGS = [
    svg.intervals(HOSTILE, [Interval(HOSTILE, 1, 0, 2, HOSTILE)], HOSTILE),
    svg.curve(HOSTILE, [Point(1, 1, 0, 2)], HOSTILE, HOSTILE),
    evaluation(HOSTILE, (HOSTILE, "b"), ["cp 3", HOSTILE, "mate 2"]),
    move_times(HOSTILE, (HOSTILE, "b"), [1, None, 3]),
    llr(HOSTILE, [(2, 0.5)], -3, 3),
]


def test_a_part_of_a_page_needs_nothing_that_a_strict_policy_drops() -> None:
    """No style, no script, no id that another drawing of the page might have, nothing fetched."""
    for drawing in DRAWINGS:
        root = ET.fromstring(inline(drawing))
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {"svg", "title", "desc", "g", "path", "line", "rect", "circle", "polygon", "polyline", "text"}
        names = {name for element in root.iter() for name in element.attrib}
        assert not names & {"style", "id", "href", "onload", "onclick"}
        assert "url(" not in inline(drawing)


def test_a_reader_of_the_screen_hears_title_and_figures() -> None:
    """The picture is one image; its title comes first, then what is drawn in words. Names are escaped everywhere."""
    for drawing in DRAWINGS:
        form = inline(drawing)
        root = ET.fromstring(form)
        title, desc = list(root)[:2]
        assert root.get("role") == "img" and title.tag.endswith("title") and desc.tag.endswith("desc")
        assert title.text == HOSTILE.replace("\x1b", "\\x1b") and desc.text
        assert "<script" not in form and "\x1b" not in form


def test_every_colour_of_a_drawing_has_a_rule_in_light_and_in_dark() -> None:
    """A class without a rule would keep the colours of light paper on a dark page."""
    used = {
        name for drawing in DRAWINGS for each in re.findall("class='(.*?)'", inline(drawing)) for name in each.split()
    }
    assert {name for name in used if re.fullmatch("c[0-9]", name)} <= set(re.findall(r"\.plot \.(c[0-9])", SHEET))
    light, dark = SHEET.splitlines()[:2]
    assert "prefers-color-scheme:dark" in dark
    assert re.findall("--plot-[a-z0-9]+(?=:)", light) == re.findall("--plot-[a-z0-9]+(?=:)", dark)


def channels(colour: str) -> list[float]:
    """Linear red, green and blue, from 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(colour: str) -> float:
    """As the guidelines for accessible pages (WCAG) define it."""
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), channels(colour), strict=True))


def test_every_colour_stands_out_from_its_paper() -> None:
    """By 3 to 1, as WCAG asks of figures; texts by 4.5 to 1."""
    for mode in (0, 1):
        rule = SHEET.splitlines()[mode]
        shown = dict(re.findall("--plot-([a-z0-9]+):(#[0-9a-f]{6})", rule))
        paper = luminance(shown["paper"])
        for name, least in {**{str(number): 3 for number in (1, 2)}, "ink": 4.5, "soft": 4.5}.items():
            pair = sorted((luminance(shown[name]), paper))
            assert (pair[1] + 0.05) / (pair[0] + 0.05) >= least, name
