"""Adjudication: games ended by the engines' own scores."""

import pytest

from arena.play.adjudication import Adjudication, BadAdjudication, Draw, Judgement, Resign, adjudicator
from arena.play.adjudication import parse_draw as draw
from arena.play.adjudication import parse_resign as resign
from protocol.grammar import parse
from protocol.messages import Info, Score


def score(words: str) -> Score | None:
    """A score as an engine sends it; None for no words."""
    info = parse(b"info depth 1 score " + words.encode()) if words else Info()
    assert isinstance(info, Info)
    return info.score


def judged(rules: Adjudication, *scores: str, plies: int = 0, draws: bool = True) -> tuple[int, Judgement] | None:
    """The number of moves and the judgement after them; `scores` are those of the moves, p1's first."""
    judge = adjudicator(rules, draws=draws, plies=plies)
    if judge is None:
        return None
    for ply, words in enumerate(scores):
        judgement = judge.after_move(ply % 2, score(words))
        if judgement is not None:
            return ply + 1, judgement
    return None


RESIGN = Adjudication(resign=Resign(600, 2))
BOTH = Adjudication(resign=Resign(600, 2, twosided=True))
DRAW = Adjudication(draw=Draw(10, 2))


def test_a_side_that_calls_itself_lost_loses() -> None:
    """It loses after its second such move in a row, whatever its opponent's scores are."""
    assert judged(RESIGN, "cp -600", "cp -20", "cp -601") == (
        3,
        Judgement("p2", "p1 said -600 cp or worse in 2 moves in a row"),
    )
    assert judged(RESIGN, "cp 0", "cp -600", "", "cp -900") == (
        4,
        Judgement("p1", "p2 said -600 cp or worse in 2 moves in a row"),
    )
    assert judged(RESIGN, "cp -599", "", "cp -600", "", "cp -599", "", "cp -600") is None


def test_a_missing_score_and_a_bound_interrupt_a_row() -> None:
    """No score is no evidence, and a bound is not the engine's estimate."""
    for breach in ("", "cp -900 upperbound", "cp -900 lowerbound"):
        assert judged(RESIGN, "cp -900", "", breach, "", "cp -900", "") is None


def test_two_sided_needs_both_engines_to_agree() -> None:
    """No side loses by its own scores alone; the later of the two rows decides."""
    assert judged(BOTH, *["cp -900", "cp 599"] * 4) is None
    judgement = Judgement("p2", "p1 said -600 cp or worse in 2 moves in a row, p2 600 cp or better")
    assert judged(BOTH, *["cp -900", "cp 600"] * 4) == (4, judgement)
    assert judged(BOTH, *["cp -900", "cp -900"] * 4) is None


def test_mates_are_beyond_all_scores() -> None:
    """This holds for near and far mates, won and lost."""
    hardest = Adjudication(resign=Resign(1_000_000, 1, twosided=True))
    for won, lost in (("mate 1", "mate -2"), ("mate 99", "mate -98"), ("mate 1", "mate 0")):
        found = judged(hardest, won, lost)
        assert found is not None
        assert found[1].winner == "p1"
    assert judged(DRAW, *["mate 40", "cp 0"] * 4) is None


def test_a_game_that_both_sides_call_even_is_drawn() -> None:
    """It is drawn after two such moves of each in a row; one uneven score begins the row anew."""
    judgement = Judgement("draw", "both said 10 cp or less in 2 moves in a row")
    assert judged(DRAW, "cp 10", "cp -10", "cp 0", "cp 3") == (4, judgement)
    assert judged(DRAW, "cp 10", "cp -10", "cp 11", "cp 3", "cp 0", "cp 0", "cp 0") == (7, judgement)


def test_where_the_rules_know_no_draw_none_is_given() -> None:
    """Callanish has no draws, so a draw rule is void there, as draw offers are; resigning is not."""
    assert adjudicator(DRAW, draws=False, plies=0) is None
    both = Adjudication(Resign(600, 1), Draw(10, 1))
    assert judged(both, "cp 0", "cp 0", "cp -700", draws=False) == (
        3,
        Judgement("p2", "p1 said -600 cp or worse in 1 moves in a row"),
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("score=600", "resign 'score=600': moves is missing; write such as moves=10"),
        ("score=600,moves=0", "resign 'score=600,moves=0': moves must be a whole number from 1 to 1000, not '0'"),
        (
            "score=6,movecount=1",
            "resign 'score=6,movecount=1': 'movecount=1' is not one of score=..., moves=..., twosided=...",
        ),
        ("score=6,score=7,moves=1", "resign 'score=6,score=7,moves=1': score is given twice"),
        ("score=6,moves=1,twosided=yes", "resign 'score=6,moves=1,twosided=yes': twosided is true or false, not 'yes'"),
    ],
)
def test_a_rule_that_cannot_be_read_is_refused(text: str, sentence: str) -> None:
    """The message is one sentence that names the wrong word."""
    with pytest.raises(BadAdjudication) as refused:
        resign(text)
    assert str(refused.value) == sentence
    with pytest.raises(BadAdjudication, match="after must be a whole number from 0 to 1000000, not 'x'"):
        draw("score=1,moves=1,after=x")
