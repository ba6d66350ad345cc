"""The rules in five lines."""

from arena.games.rules import Position, Rules
from arena.games.variants import find, kind_of, names
from results.tables.text_width import columns


def short_rules(rules: Rules, start: Position | None = None) -> tuple[str, ...]:
    return kind_of(rules).short_rules(rules, start or rules.start())


def test_every_variant_is_told_in_five_lines() -> None:
    """Each fits a terminal of 80 columns, and none is empty."""
    for name in names():
        lines = short_rules(find(name))
        assert len(lines) == 5
        assert all(20 < columns(line) <= 80 for line in lines), lines


def test_they_say_what_differs_between_variants() -> None:
    """How far pieces go, who captures, what captures the king, where he escapes, how many squares a line needs."""
    told = {name: " ".join(short_rules(find(name))) for name in names()}
    assert "if 5 of its squares" in told["callanish-9"] and "if 4 of" in told["callanish-7"]
    assert "reaches the edge" in told["scottish"] and "a corner" in told["brandub"]
    assert "king does not help" in told["scottish"] and "king helps" in told["scottish-armed"]
    assert "one square" in told["ard-ri"] and "the king up to 2 squares" in told["scottish-king2"]
    assert "all four sides" in told["ard-ri"] and "3 beside it" in told["brandub-nielsen"]
