"""Packed plies: what the file keeps of them, and that they behave as a tuple of plies."""

import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from results.plies import LATE_US, PV_CHARACTERS, PV_MOVES, Plies, Ply, short_pv

whole = st.integers(0, 2**62)
words = st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1).filter(
    lambda text: len(text.split()) == 1
)
plies = st.builds(
    Ply,
    words,
    whole,
    st.none() | whole,
    st.none() | st.integers(-(2**62), 2**62),
    st.none() | whole,
    st.none() | whole,
    st.none() | st.builds("cp {}".format, st.integers(-300, 300)) | st.text(),
    st.none() | whole | st.sampled_from([LATE_US - 1, LATE_US]),
    st.just(0),
    st.lists(st.from_regex("[a-m]1?[0-9]", fullmatch=True), max_size=PV_MOVES).map(" ".join),
)
games = st.lists(plies, max_size=9).map(tuple)


@settings(max_examples=settings().max_examples // 2)
@given(games)
def test_the_file_keeps_the_costs_as_json_writes_them(made: tuple[Ply, ...]) -> None:
    """Byte for byte what json gives without blanks: files of all times are alike, quotes in a score are escaped."""
    packed = Plies.of(made)
    kept = [list(ply[1:-2]) for ply in made]
    assert packed.costs == json.dumps(kept, separators=(",", ":"))
    assert packed.words == " ".join(ply.move for ply in made)
    assert packed.pvs in ("", "\n".join(ply.pv for ply in made))


@settings(max_examples=settings().max_examples // 3)
@given(games)
def test_packed_plies_are_the_plies(made: tuple[Ply, ...]) -> None:
    """Equal both ways round, hashed alike, each at its place; also after a way through a pipe."""
    packed, later = Plies.of(made), Plies.packed_later(iter(made))
    assert len(later) == len(made)
    sent = pickle.loads(pickle.dumps(Plies.packed_later(made)))
    for each in (
        packed,
        later,
        sent,
        Plies(packed.words, packed.costs, packed.pvs),
        pickle.loads(pickle.dumps(packed)),
    ):
        assert each == made and made == each and each == packed
        assert hash(each) == hash(made)
        assert (len(each), tuple(each), each[2:]) == (len(made), made, made[2:])
        assert all(isinstance(ply, Ply) for ply in each)
        assert each != (*made, Ply("a1", 1, None, None))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("d3c3  e1e2\tf5f6 ", "d3c3 e1e2 f5f6"),
        ("d3c3 \x1b[31mred e1e2", "d3c3"),
        ("d3c3 \u202ee1e2", "d3c3"),
        ("<script> d3c3", ""),
        ("}{ 1-0", ""),
        (" ".join(["a1"] * 40), " ".join(["a1"] * PV_MOVES)),
        (" ".join(["a10b11c12"] * 40), " ".join(["a10b11c12"] * 6)),
        ("a" * 10_000, ""),
    ],
)
def test_of_a_line_that_an_engine_says_the_first_moves_are_kept(said: str, kept: str) -> None:
    """So many, and so many characters; whole moves, and nothing behind a word that is none, which could do harm."""
    assert short_pv(said) == kept and len(kept) <= PV_CHARACTERS
    assert Plies.of([Ply("a1", 1, None, None, pv=said), Ply("b2", 1, None, None)]).pvs == (kept and f"{kept}\n")
