"""Drawings in both forms: a part of a page with a strict policy, and a document of its own."""

import itertools
import re
import xml.etree.ElementTree as ET

import pytest

from results.plots import svg
from results.plots.drawing import COLOURS, SHEET, inline
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


LONG = "an-engine-of-20-sign"


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


BLINDNESS = {
    "red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
}
"""What of linear red, green and blue is left to those who lack one kind of cone (Machado and others, 2009)."""


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("kind", BLINDNESS)
def test_the_colours_differ_also_for_colour_blind_people(kind: str, mode: int) -> None:
    """20 is about eight times what can just be seen."""
    seen = [lab(kind, pair[mode]) for pair in COLOURS]
    for one, two in itertools.combinations(seen, 2):
        assert sum((a - b) ** 2 for a, b in zip(one, two, strict=True)) ** 0.5 >= 20


def lab(kind: str, colour: str) -> tuple[float, float, float]:
    """A colour as such eyes see it, in a space where distances are differences that people see (CIE Lab)."""
    part = channels(colour)
    rgb = [min(1, max(0, sum(w * p for w, p in zip(row, part, strict=True)))) for row in BLINDNESS[kind]]
    rows = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0178, 0.1095, 0.8727))
    x, y, z = (max(0.008856, sum(w * p for w, p in zip(row, rgb, strict=True))) ** (1 / 3) for row in rows)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
