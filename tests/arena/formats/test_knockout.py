"""Knockouts: brackets, early ends, extra games, byes."""

import pytest

from arena.formats.base import Format, Pairing, PairScore, Played, Progression, Round
from arena.formats.knockout import EXTRA_PAIRS, Knockout
from tests.arena.formats.test_contest import Result, better_wins, drawn


def worse_wins(pairing: Pairing, games: int) -> PairScore:
    """The higher number wins every game."""
    return PairScore(*pairing, 0, 0, games) if pairing.first < pairing.second else PairScore(*pairing, games, 0, 0)


def played(format_: Format, result: Result, starts: int = 1) -> list[Played]:
    """A whole tournament."""
    past: list[Played] = []
    while (round_ := format_.next(past)) is not None:
        past.append(Played(round_, tuple(result(pairing, round_.games * starts) for pairing in round_.pairings)))
    return past


def test_the_best_seed_wins_a_bracket_in_which_the_better_always_wins() -> None:
    """One and two meet in the final only; each match removes one player; the best have the byes."""
    for players in (*range(2, 10), 17, 50):
        knockout = Knockout(players)
        past = played(knockout, better_wins)
        assert sum(len(each.round.pairings) for each in past) == players - 1
        assert past[-1].round.pairings == (Pairing(0, 1),)
        assert past[-1].round.number == (players - 1).bit_length()
        byes = 2 ** (players - 1).bit_length() - players
        assert sorted(past[0].round.byes) == list(range(byes))
        *_, (_, (final,)) = knockout.bracket(past)
        assert knockout.winner(final) == 0
        assert len({met.second for each in past for met in each.scores}) == players - 1


@pytest.mark.parametrize("best_of", range(1, 6))
@pytest.mark.parametrize("starts", [1, 2])
def test_a_match_ends_as_soon_as_it_is_decided(best_of: int, starts: int) -> None:
    """No game is played in which nothing is at stake, but one that makes the number of games even."""
    past = played(Knockout(2, best_of, starts), worse_wins, starts)
    games = sum(each.round.games for each in past)
    needed = best_of // 2 + 1
    assert games == min(best_of, needed + needed % 2)


def test_a_drawn_match_has_extra_games_and_then_the_better_seed_goes_on() -> None:
    """Pairs of games, to a bound; without extra games the seed decides at once."""
    past = played(Knockout(2), drawn)
    assert [each.round.games for each in past] == [2] * (1 + EXTRA_PAIRS)
    assert len(played(Knockout(2, extra_pairs=0), drawn)) == 1
    knockout = Knockout(2, best_of=3)
    past = [Played(Round(1, (Pairing(0, 1),), games), (PairScore(0, 1, 0, games, 0),)) for games in (2, 1)]
    extra = knockout.next(past)
    assert extra is not None and (extra.games, extra.swapped) == (2, True), "sides go on to swap"
    *_, (_, (duel,)) = knockout.bracket([*past, Played(extra, (PairScore(0, 1, 0, 1, 1),))])
    assert knockout.winner(duel) == 1


def test_who_is_withdrawn_before_the_first_round_is_neither_paired_nor_given_a_bye() -> None:
    """The bracket is that of the others, through all rounds."""
    for players in (3, 4, 5, 8, 9):
        for out in (frozenset({0}), frozenset({players - 1}), frozenset({1, players - 2})):
            knockout, past = Knockout(players), list[Played]()
            while (round_ := knockout.next(past, out)) is not None:
                assert not out & {player for pairing in round_.pairings for player in pairing}
                assert not out & set(round_.byes)
                past.append(Played(round_, tuple(better_wins(each, round_.games) for each in round_.pairings), out))
            assert sum(len(each.round.pairings) for each in past) == players - len(out) - 1
            names = [f"e{player}" for player in range(players)]
            told = Knockout.outcome({"best_of": 2, "tie_breaks": None}, names, 1, Progression(past)).values["bracket"]
            assert (
                not {names[player] for player in out} & {duel["better"] for duels in told for duel in duels} or not past
            )
