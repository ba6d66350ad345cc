"""Pictures of the rules."""

import pytest

from arena.games.board_drawing import UNICODE, legend
from arena.games.game_boards import pictures
from arena.games.tafl.variants import TAFL
from arena.games.variants import find


@pytest.mark.parametrize("name", ["callanish-9", "scottish", "tablut-saami", "sea-battle-11", "copenhagen"])
def test_each_special_rule_has_a_picture_before_and_after_the_move_that_shows_it(name: str) -> None:
    """The move leads from one board to the other, and the second one marks what the rule is about."""
    shown = pictures(find(name))
    options = dict(TAFL[name].options.items()) if name in TAFL else {}
    special = [option for option in ("shieldwall", "encirclement", "fort") if options.get(option, "no") != "no"]
    assert [picture.caption.split(",")[0].split()[-1] for picture in shown] == special
    for picture in shown:
        move = picture.caption.split()[-1]
        assert "".join(picture.after.last) == move and not picture.before.last
        assert picture.before.rows != picture.after.rows and not picture.before.decision.squares
        assert len(picture.after.decision.squares) > 3
        assert "= =" in legend(picture.after, UNICODE)
    assert len(pictures(find(name), "ja")) == len(shown)


@pytest.mark.parametrize("options", ["king_armed=no men_steps=1 king_steps=1", "corner_hostile=no fort=no"])
def test_pictures_are_those_of_changed_rules_too(options: str) -> None:
    """The scenes hold with other options, and a rule that is switched off has no picture."""
    shown = pictures(find("copenhagen", options))
    assert len(shown) == 3 - ("fort=no" in options)
    assert all(picture.after.decision.squares for picture in shown)
