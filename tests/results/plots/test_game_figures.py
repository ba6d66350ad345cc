"""The small figures: the scores and times of a game by ply, and the path of a sequential test."""

import random
import re
import xml.etree.ElementTree as ET

import pytest

from results.plots.drawing import Drawing, inline
from results.plots.game_figures import evaluation, move_times
from results.plots.llr import MOST_POINTS, llr, thinned

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("ann", "bob")


def lines(drawing: Drawing) -> list[list[tuple[float, float]]]:
    """The points of each curve."""
    found = ET.fromstring(inline(drawing)).iter(f"{SVG}polyline")
    pairs = [[each.split(",") for each in (line.get("points") or "").split()] for line in found]
    return [[(float(x), float(y)) for x, y in line] for line in pairs]


def texts(drawing: Drawing) -> list[str]:
    return [element.text or "" for element in ET.fromstring(inline(drawing)).iter(f"{SVG}text")]


def test_two_engines_that_agree_have_curves_at_the_same_height() -> None:
    """Each says its score from its own side; both curves are drawn from that of p1, whoever moved first."""
    for first, signs in ((0, (1, -1)), (1, (-1, 1))):
        said = [f"cp {300 * signs[ply % 2]}" for ply in range(8)]
        one, two = lines(evaluation("t", NAMES, said, first))
        assert {y for _, y in one} == {y for _, y in two}
    better = lines(evaluation("t", NAMES, ["cp 50", "cp 50", "cp 400", "cp 400"]))
    assert better[0][1][1] < better[0][0][1] and better[1][1][1] > better[1][0][1]


def test_a_large_score_is_drawn_at_the_edge_and_a_win_has_a_triangle() -> None:
    """So one announced win does not make the rest of the game a flat line."""
    picture = evaluation("t", NAMES, ["cp 100", "cp -100", "cp 5000", "cp -90", "mate 5", "mate -4", "mate 3"])
    ann, bob = lines(picture)
    assert ann[1][1] == ann[2][1] == ann[3][1] == min(y for line in (ann, bob) for _, y in line)
    assert {"+1000", "\N{MINUS SIGN}1000"} <= set(texts(picture))
    triangles = re.findall("d='M[^']*l5 9h-10z'", inline(picture))
    assert len(triangles) == 2, "one for each engine, where it first sees the win"
    assert "ann: sees a win of p1 at ply 7; bob: sees a win of p1 at ply 6" in picture.words


def test_a_ply_without_a_score_is_a_gap() -> None:
    """And no line is drawn over it; a score between two gaps is a dot."""
    picture = evaluation("t", NAMES, ["cp 1", None, "cp 2", None, None, None, "cp 3", "cp 9", "nonsense"])
    assert [len(line) for line in lines(picture)] == [2]
    assert len(list(ET.fromstring(inline(picture)).iter(f"{SVG}circle"))) == 2


def test_the_marker_stands_at_the_last_ply_and_a_script_can_tell_where_others_are() -> None:
    """Each figure of a game says where ply 0 is and how far the next one is from it."""
    for plies in (0, 3, 8):
        scores, times = ["cp 1"] * 8, [5.0] * 8
        for picture in (evaluation("t", NAMES, scores[:plies]), move_times("t", NAMES, times[:plies])):
            root = ET.fromstring(inline(picture))
            (marker,) = (each for each in root.iter() if each.get("class") == "at")
            place = float((marker.get("transform") or "").removeprefix("translate(").partition(" ")[0])
            left, step = float(root.get("data-left") or 0), float(root.get("data-step") or 0)
            assert place == pytest.approx(left + plies * step, abs=0.02)
        own = sorted(x for line in lines(evaluation("t", NAMES, scores)) for x, _ in line)
        assert plies < 8 or own[2] == pytest.approx(left + 3 * step, abs=0.1)


def test_the_times_of_p1_go_up_and_those_of_p2_down() -> None:
    """In one scale, so that sides are told apart without colour; the longest move is told in words."""
    picture = move_times("t", NAMES, [1000, 500, 250, None, 2000])
    bars = [
        [tuple(map(float, bar)) for bar in re.findall(r"M([0-9.]+) ([0-9.]+)V([0-9.]+)", path.get("d") or "")]
        for path in ET.fromstring(inline(picture)).iter(f"{SVG}path")
        if (path.get("class") or "").startswith("c") and "V" in (path.get("d") or "")
    ]
    up = [middle - end for _, middle, end in bars[0]]
    down = [end - middle for _, middle, end in bars[1]]
    assert len(up) == 3 and up[0] == pytest.approx(up[2] / 2, abs=0.2) and down == [pytest.approx(up[0] / 2, abs=0.2)]
    assert "ann: 3 moves in 3.25 s, slowest at ply 5 with 2 s; bob: 1 move in 500 ms" in picture.words
    assert "2 s" in texts(picture)


def test_a_test_that_ended_is_beyond_its_bound_and_says_which_hypothesis_is_accepted() -> None:
    """The bounds, the last ratio and the games are texts."""
    for sign, accepted in ((1, "H1 is accepted"), (-1, "H0 is accepted")):
        picture = llr("t", [(2, 0.1), (40, sign * 3.0)], -2.94, 2.94)
        assert accepted in picture.words and {"H1 accepted", "H0 accepted", "2.94"} <= set(texts(picture))
        bounds = [float(y) for y in re.findall(r"class='axis' d='M44 ([0-9.]+)H", inline(picture))]
        end = lines(picture)[0][-1][1]
        assert end < bounds[0] if sign > 0 else end > bounds[1]
    assert "undecided" in llr("t", [(2, 0.1)], -2.94, 2.94).words


def test_a_long_path_keeps_its_ends_and_its_extremes() -> None:
    """Of 100 000 games a few hundred points are drawn."""
    chance, ratio, path = random.Random(1), 0.0, []
    for games in range(0, 100_000, 2):
        ratio += chance.gauss(0, 0.02)
        path.append((games, ratio))
    found = thinned(path)
    assert len(found) <= MOST_POINTS and found[0] == path[0] and found[-1] == path[-1]
    assert {max(path, key=lambda at: at[1]), min(path, key=lambda at: at[1])} <= set(found)
    assert found == sorted(found)
