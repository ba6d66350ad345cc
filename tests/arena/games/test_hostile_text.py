"""Text from outside may be anything: it is read, or refused in a sentence, and never ends in a traceback."""

from hypothesis import given
from hypothesis import strategies as st

from arena.games.rules import BadPosition, UnknownVariant
from arena.games.variants import find, names

NAMES = st.sampled_from(names())
BOARDS = st.text("wbWBadk*/123456789 p-", max_size=60) | st.text(max_size=20)


@given(NAMES | st.text(max_size=30), st.text(max_size=30) | st.text("kingarmedsupply=yes0123, ", max_size=30))
def test_any_name_is_found_or_refused(name: str, options: str) -> None:
    """What is found is found again by its canonical name."""
    try:
        rules = find(name, options)
    except UnknownVariant as refused:
        assert str(refused)
    else:
        assert find(rules.name) == rules


@given(NAMES, BOARDS, st.sampled_from(["", " p1", " p2 7"]))
def test_any_board_is_read_or_refused(name: str, board: str, rest: str) -> None:
    """What is read comes back as a string that reads the same, and is the canonical one."""
    try:
        position = find(name).parse(board + rest)
    except BadPosition as refused:
        assert str(refused)
    else:
        assert find(name).parse(position.fen()) == position
        assert find(name).parse(position.fen()).fen() == position.fen()
