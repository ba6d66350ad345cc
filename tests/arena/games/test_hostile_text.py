"""Text from outside may be anything: it is read, or refused in a sentence, and never ends in a traceback."""

from hypothesis import given
from hypothesis import strategies as st

from arena.games.rules import BadPosition, RulesError, UnknownVariant
from arena.games.variants import find, names, resolve

NAMES = st.sampled_from(names())
BOARDS = st.text("wbWBadk*/123456789 p-", max_size=60) | st.text(max_size=20)
WORDS = st.from_regex(r"([a-z][0-9]{1,2}){1,3}", fullmatch=True) | st.text(max_size=12)


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


@given(NAMES, WORDS)
def test_any_word_is_a_move_or_none(name: str, word: str) -> None:
    """No word raises, and every legal move is in the grammar."""
    rules, start = resolve(name)
    move = start.find(word)
    if move is not None:
        assert rules.wellformed(word) and rules.wellformed(move.text)
        assert start.find(move.text) == move
        assert start.play(move).turn == 1
    else:
        assert word not in {legal.text for legal in start.legal_moves()}


@given(NAMES, st.text(max_size=10), st.text(max_size=10))
def test_refusals_are_of_one_family(name: str, options: str, fen: str) -> None:
    """Whoever reads input from outside needs to catch RulesError alone."""
    try:
        resolve(name, options, fen)
    except RulesError as refused:
        assert "\n" not in str(refused)
