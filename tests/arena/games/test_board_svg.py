"""Boards as pictures: files of their own, and elements of pages."""

import re
from xml.etree import ElementTree as ET

import pytest

from arena.games import board_svg
from tests.arena.games.drawn import drawn as board_at
from tests.arena.games.drawn import ended
from tests.arena.games.test_board_drawing import CALLANISH, CAPTURE, ESCAPE, FORT, LINE, RING, ROW


def test_the_picture_is_well_formed_and_scales() -> None:
    """An SVG with title and description, a view box and no size of its own; names with < and & are safe in it."""
    root = ET.fromstring(board_svg.document(board_at(CALLANISH, last_move="e7b7d2"), "<a> & b"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.attrib["viewBox"] == "0 0 412 412"
    assert "width" not in root.attrib and "height" not in root.attrib
    assert root.findtext(f"{space}title") == "<a> & b"
    described = root.findtext(f"{space}desc")
    assert described == (
        "Board of 9 files and 9 ranks: stack, Black on White on e6; stack, White on Black on f7; Black on e7; "
        "White on b7 d2. The last move touched e7 b7 d2."
    )
    assert len(root.findall(f".//{space}circle")) == 3 + 2 * 2
    assert len(root.findall(f".//{space}text")) == 4 * 9


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (LINE, "Decided by a line: a3 b3 c3."),
        (ESCAPE, "The king escaped on c7."),
        (CAPTURE, "The king was captured on d5 between d6 c5 e5 d4."),
        (ROW, "A shieldwall on c2 d2 b1 e1 took c1 d1."),
        (RING, "The king and all defenders are surrounded by c6 d6 e6 b5 f5 b4 f4 b3 f3 c2 d2 e2."),
        (FORT, "The king won by a fort on d2 e2 c1 d1 f1."),
    ],
)
def test_the_picture_marks_and_tells_what_decided_the_game(game: tuple[str, str, str], told: str) -> None:
    """Each deciding square has a frame, and the description names it."""
    board = ended(*game)
    for picture in (board_svg.inline(board), board_svg.document(board, "game")):
        decisive = picture[picture.index('class="decisive"') : picture.index('class="pieces"')]
        assert decisive.count("<rect") == len(board.decision.squares)
        assert decisive.count('class="taken"') == (board.decision.king is not None) + len(board.decision.taken)
        assert told in picture


def test_pictures_keep_a_strict_content_security_policy() -> None:
    """No attribute style anywhere; an element of a page leaves its colours to the page's style sheet."""
    board = ended(*CAPTURE)
    document, inline = board_svg.document(board, "game"), board_svg.inline(board)
    assert "style=" not in document and "style=" not in inline
    assert board_svg.DARK in document and "<style" not in inline and "#" not in re.sub(r'href="#[a-z]+-', "", inline)
    classes = set(re.findall(r'class="([^"]+)"', document))
    assert set(re.findall(r"\.([a-z-]+) {", board_svg.DARK)) - classes == {"hole"}
    ET.fromstring(document)
    ET.fromstring(inline)
