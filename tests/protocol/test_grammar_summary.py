"""What a record keeps of info lines."""

from protocol import grammar
from protocol.grammar import Summary
from protocol.messages import Score


def test_odd_infos_are_summed_up() -> None:
    """The last of two figures counts, behind a line of play too, not behind a string; a bad score is none at all."""
    for line, summary in (
        (b"info", Summary(None, None, None)),
        (b"info depth 3 depth 4 nodes 5 nodes x", Summary(4, 5, None)),
        (b"info depth 3 nodes 7 string depth 9", Summary(3, 7, None)),
        (b"info depth 3 pv d1d3 depth 4 o1p2", Summary(4, None, None, "d1d3")),
        (b"info depth 3 pv d1d3 nodes 8", Summary(3, 8, None, "d1d3")),
        (b"info pv d1d3 score cp 8 lowerbound", Summary(None, None, Score("cp", 8, "lowerbound"), "d1d3")),
        (b"info score cp 8 score mate x", Summary(None, None, None)),
        (b"info score cp 8 lowerbounds nodes 1", Summary(None, 1, Score("cp", 8))),
        (b"info score depth 3", Summary(3, None, None)),
        (b"info de\0pth 3", Summary(3, None, None)),
        (b"info time depth 3", Summary(3, None, None)),
        (b"info time string depth 3", Summary(None, None, None)),
        (b"info string 7 depth 4", Summary(None, None, None)),
        (b"info stringy 7 depth 4", Summary(4, None, None)),
        (b"info pv o1p2 nodes 8", Summary(None, 8, None, "o1p2")),
        (b"info depth 3 depth " + b"9" * 20, Summary(3, None, None)),
        (b"info nodes " + b"9" * 20, Summary(None, None, None)),
        (b"info nodes " + b"9" * 19, Summary(None, 10**19 - 1, None)),
    ):
        assert grammar.summary(line) == summary


def test_the_later_of_two_infos_counts() -> None:
    """Figure by figure: what it does not say is taken from the other one."""
    raw = b"info depth 3 score cp 8 pv d1d3\ninfo depth 4 nodes 5"
    assert grammar.summary(raw) == Summary(4, 5, Score("cp", 8), "d1d3")
    assert grammar.summary(None) == Summary(None, None, None)
    assert [str(Score("cp", 31)), str(Score("mate", -4, "lowerbound"))] == ["cp 31", "mate -4 lowerbound"]
