"""Swiss tournaments: who meets whom, against brute force; and tie-breaks on tables worked out by hand."""

import random
from collections.abc import Iterator

import pytest

from arena.formats.base import Pairing, PairScore, Played, Round
from arena.formats.matching import pair_off
from arena.formats.swiss import Swiss
from arena.formats.tie_breaks import table, tally


def matchings(players: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way to pair them off."""
    if not players:
        yield ()
        return
    first, *rest = players
    for other in rest:
        for pairs in matchings(tuple(player for player in rest if player != other)):
            yield ((first, other), *pairs)


@pytest.mark.parametrize("seed", range(40))
def test_eight_players_are_paired_as_brute_force_pairs_them(seed: int) -> None:
    """Points, rematches and sides drawn at random: no other of the 105 pairings costs less."""
    chance = random.Random(seed)
    points = sorted((chance.randrange(5) for _ in range(8)), reverse=True)
    bad = {(i, j): chance.choice((0, 0, 700, 10_000)) for i in range(8) for j in range(i + 1, 8)}

    def distance(i: int, j: int) -> int:
        return 64 * (points[i] - points[j]) ** 2 + (j - i) ** 2

    def cost(i: int, j: int) -> int:
        return distance(i, j) + bad[i, j]

    found = pair_off(8, distance, lambda i, j: bad[i, j])
    assert found.proven
    assert sum(cost(*pair) for pair in found.pairs) == found.cost
    assert found.cost == min(sum(cost(*pair) for pair in pairs) for pairs in matchings(tuple(range(8))))


def played(swiss: Swiss, seed: int) -> list[Played]:
    """A whole tournament in which the better seeds win a little more often."""
    chance = random.Random(seed)
    past: list[Played] = []
    while (round_ := swiss.next(past)) is not None:
        met = []
        for one, two in round_.pairings:
            score = [0, 0, 0]
            for _ in range(swiss.games):
                luck = chance.random() + (two - one) / swiss.players / 2
                score[0 if luck > 0.6 else 1 if luck > 0.4 else 2] += 1
            won, drawn, lost = score
            met.append(PairScore(one, two, won, drawn, lost))
        past.append(Played(round_, tuple(met)))
    return past


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 11, 16])
@pytest.mark.parametrize("games", [1, 2])
def test_nobody_meets_the_same_player_twice_and_sides_are_balanced(players: int, games: int) -> None:
    """In up to half as many rounds as there are players; all play in each round but for one bye, never twice his."""
    rounds = max(1, min(players // 2, 6))
    past = played(Swiss(players, rounds, games), players)
    assert len(past) == rounds
    met = [tuple(sorted((met.first, met.second))) for each in past for met in each.scores]
    assert len(set(met)) == len(met)
    byes = [bye for each in past for bye in each.round.byes]
    assert len(byes) == len(set(byes)) == rounds * (players % 2)
    for each in past:
        there = sorted([player for pairing in each.round.pairings for player in pairing] + list(each.round.byes))
        assert there == list(range(players))
    assert all(abs(score.extra_p1) <= 1 for score in tally(players, games, past))


def test_many_rounds_of_a_large_field_are_paired_without_a_rematch() -> None:
    """Also in so many rounds that hardly anybody is left to meet who is near."""
    for players, rounds in ((60, 4), (20, 10)):
        past = played(Swiss(players, rounds), 1)
        met = [tuple(sorted((met.first, met.second))) for each in past for met in each.scores]
        assert len(set(met)) == len(met) == rounds * players // 2


def of_rounds(rounds: list[list[PairScore]], games: int = 1) -> list[Played]:
    """The past of a tournament with these scores, round by round."""
    return [
        Played(Round(number, tuple(Pairing(met.first, met.second) for met in met_all), games), tuple(met_all))
        for number, met_all in enumerate(rounds, 1)
    ]


def beaten(*pairs: tuple[int, int]) -> list[PairScore]:
    """A round in which the first of each pair won its only game."""
    return [PairScore(winner, loser, 1, 0, 0) for winner, loser in pairs]


def test_tie_breaks_on_a_table_worked_out_by_hand() -> None:
    """Four players, a game each: 0 beats 1 and 2, draws 3; 3 draws all; 1 beats 2."""
    rounds = [
        [PairScore(0, 1, 1, 0, 0), PairScore(2, 3, 0, 1, 0)],
        [PairScore(0, 2, 1, 0, 0), PairScore(1, 3, 0, 1, 0)],
        [PairScore(0, 3, 0, 1, 0), PairScore(1, 2, 1, 0, 0)],
    ]
    past = of_rounds(rounds)
    found = table(4, 1, past, ("direct-encounter", "buchholz", "sonneborn-berger", "wins"))
    # Points 2.5, 1.5, 0.5, 1.5: 1 and 3 drew, and each met the three others; 1 won one game, 3 none.
    assert [(place.player, place.points) for place in found] == [(0, 2.5), (3, 1.5), (1, 1.5), (2, 0.5)]
    by_player = {place.player: place.values for place in found}
    assert by_player[1] == (0.5, 4.5, 0.5 + 0.75, 1)
    assert by_player[3] == (0.5, 4.5, 0.25 + 0.75 + 1.25, 0)
    by_wins = table(4, 1, past, ("buchholz", "wins"))
    assert [place.player for place in by_wins] == [0, 1, 3, 2], "with wins before Sonneborn-Berger it is the reverse"


def test_a_bye_scores_like_a_won_encounter_and_counts_as_an_opponent_as_strong_as_oneself() -> None:
    """Three players, two games: the bye gives 2 points."""
    past = [Played(Round(1, (Pairing(0, 1),), 2, byes=(2,)), (PairScore(0, 1, 1, 1, 0),))]
    found = {place.player: (place.points, *place.values) for place in table(3, 2, past, ("buchholz", "wins"))}
    assert found == {0: (1.5, 0.5, 1), 1: (0.5, 1.5, 0), 2: (2.0, 2.0, 0)}


def test_a_direct_encounter_decides_nothing_where_two_of_the_tied_have_not_met() -> None:
    """0, 1 and 2 have two points each; 2 beat 1, but 0 has met neither of them."""
    past = of_rounds([beaten((0, 3), (2, 1)), beaten((0, 4), (1, 3)), beaten((1, 4), (2, 3))])
    found = table(5, 1, past, ("direct-encounter",))
    assert [(place.player, place.points, place.values) for place in found[:3]] == [(k, 2, (0.0,)) for k in range(3)]
    past += of_rounds([beaten((0, 1)), beaten((2, 0)), beaten((1, 4))])
    found = table(5, 1, past, ("direct-encounter",))
    assert [(place.player, place.points, place.values) for place in found[:3]] == [
        (2, 3, (2.0,)),
        (0, 3, (1.0,)),
        (1, 3, (0.0,)),
    ], "once all have met, the encounters rank them"
