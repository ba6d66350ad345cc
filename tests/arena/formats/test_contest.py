"""Contests: groups, ties in them, who goes on, the bracket of the best, a champion who waits, and who drops out."""

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import pytest

from arena.formats.base import FormatOutcome, Pairing, PairScore, Played, Progression
from arena.formats.contest import Contest, Stage, thue_morse
from arena.formats.registry import FormatConfig

Result = Callable[[Pairing, int], PairScore]


def names(players: int) -> list[str]:
    return [f"e{player}" for player in range(players)]


def contest(players: int, seed: int = 1, **keys: Any) -> Contest:
    config = FormatConfig("contest", **keys)
    assert not list(config.faults(names(players)))
    made = config.make(names(players), 1, seed)
    assert isinstance(made, Contest)
    return made


def better_wins(pairing: Pairing, games: int) -> PairScore:
    """The lower number wins every game, in a hundred plies."""
    won = pairing.first < pairing.second
    shortest = (100, 0) if won else (0, 100)
    return PairScore(*pairing, games if won else 0, 0, 0 if won else games, shortest=shortest)


def drawn(pairing: Pairing, games: int) -> PairScore:
    return PairScore(*pairing, 0, games, 0)


def played(made: Contest, *results: Result, withdrawn: frozenset[int] = frozenset()) -> list[Played]:
    """A whole contest; the last result is that of all rounds that follow."""
    past: list[Played] = []
    while (round_ := made.next(past)) is not None:
        result = results[min(len(past), len(results) - 1)]
        past.append(Played(round_, tuple(result(pairing, round_.games) for pairing in round_.pairings), withdrawn))
    return past


def outcome(players: int, past: Sequence[Played], seed: int = 1, **keys: Any) -> FormatOutcome:
    found = FormatConfig("contest", **keys).outcome(names(players), 1, seed, Progression(past))
    assert found is not None
    return found


def stages(made: Contest, past: Sequence[Played]) -> dict[str, Stage]:
    return {stage.name: stage for stage in made.course(past).stages}


def listed(scores: dict[tuple[int, int], PairScore]) -> Result:
    """The scores of these pairings, whoever of a pairing stands first; all others are drawn."""

    def result(pairing: Pairing, games: int) -> PairScore:
        if pairing in scores:
            return scores[pairing]
        if (turned := scores.get((pairing.second, pairing.first))) is None:
            return drawn(pairing, games)
        captures, shortest, missed = turned.captures[::-1], turned.shortest[::-1], turned.missed[::-1]
        return PairScore(*pairing, turned.lost, turned.drawn, turned.won, captures, shortest, missed)

    return result


def scored(*scores: PairScore) -> Result:
    return listed({(score.first, score.second): score for score in scores})


def order(players: int, result: Result, **keys: Any) -> list[str]:
    """The table of a contest of one group, the best first."""
    made = contest(players, **keys)
    past = played(made, result, better_wins)
    return [row["name"] for row in outcome(players, past, **keys).values["groups"][0]]


def test_groups_by_rating_follow_thue_and_morse() -> None:
    """The sequence of two groups is the famous one; of three groups it is the sum of digits to the base 3."""
    assert [thue_morse(place, 2) for place in range(16)] == [0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0]
    assert [thue_morse(place, 3) for place in range(12)] == [0, 1, 2, 1, 2, 0, 2, 0, 1, 1, 2, 0]
    assert contest(8, groups=2).groups == ((0, 3, 5, 6), (1, 2, 4, 7))


@pytest.mark.parametrize("by", ["rating", "draw"])
@pytest.mark.parametrize("players", [4, 9, 14])
def test_every_engine_is_in_one_group_and_groups_of_an_odd_number_differ_by_one(players: int, by: str) -> None:
    """Also with a champion, who is in none."""
    for groups in range(1, players // 2):
        for champion in (None, "e2"):
            made = contest(players, groups=groups, groups_by=by, champion=champion, go_on=1 if groups > 1 else 2)
            members = sorted(player for group in made.groups for player in group)
            assert members == [player for player in range(players) if champion is None or player != 2]
            sizes = [len(group) for group in made.groups]
            assert max(sizes) - min(sizes) <= 1
            first = made.next(())
            assert first is not None
            group_of = {player: number for number, group in enumerate(made.groups) for player in group}
            met = Counter(frozenset(pairing) for pairing in first.pairings)
            assert set(met.values()) == {1}
            assert len(met) == sum(size * (size - 1) // 2 for size in sizes)
            assert all(group_of[one] == group_of[two] for one, two in first.pairings)


def test_anybody_can_check_the_draw() -> None:
    """By the sums of SHA-256 that docs/organisers/CONTEST.md tells: `printf '2026 greedy' | sha256sum`."""
    lots = sorted(range(8), key=lambda player: sha256(f"2026 e{player}".encode()).hexdigest())
    drawn_groups = contest(8, 2026, groups=3, groups_by="draw").groups
    assert drawn_groups == tuple(tuple(sorted(lots[first::3])) for first in range(3))


@pytest.mark.parametrize("seeds_by", ["rating", "groups"])
def test_the_best_of_the_groups_meet_in_a_knockout_and_its_winner_meets_the_champion(seeds_by: str) -> None:
    """The first two of either group; the two best meet in the final; the champion plays one match."""
    keys: dict[str, Any] = {"groups": 2, "champion": "e8", "seeds_by": seeds_by}
    made = contest(9, **keys)
    past = played(made, better_wins)
    parts = stages(made, past)
    assert list(parts) == ["groups", "knockout", "champion"]
    assert sorted(parts["knockout"].players) == [0, 1, 2, 3]
    assert [set(map(frozenset, each.round.pairings)) for each in past[1:]] == [
        {frozenset({0, 2}), frozenset({1, 3})} if seeds_by == "groups" else {frozenset({0, 3}), frozenset({1, 2})},
        {frozenset({0, 1})},
        {frozenset({0, 8})},
    ]
    assert [each.round.number for each in past] == [1, 2, 3, 4]
    found = outcome(9, past, **keys).values
    assert (found["winner"], found["stage"]) == ("e0", "champion")
    assert sum(len(each.round.pairings) * each.round.games for each in past) <= made.most
    assert all(8 not in pairing for each in past[:-1] for pairing in each.round.pairings)


def test_a_win_may_be_worth_three_draws() -> None:
    """One win and one loss are worth two draws, or more than them."""
    result = scored(PairScore(0, 1, 1, 0, 1), PairScore(0, 2, 1, 0, 1), PairScore(1, 2, 0, 2, 0))
    rows = {}
    for points in ("1-0.5-0", "3-1-0"):
        past = played(contest(3, points=points, tie_breaks=()), result, better_wins)
        rows[points] = {
            row["name"]: row["points"] for row in outcome(3, past, points=points, tie_breaks=()).values["groups"][0]
        }
    assert rows["1-0.5-0"] == {"e0": 2, "e1": 2, "e2": 2}
    assert rows["3-1-0"] == {"e0": 6, "e1": 5, "e2": 5}


@pytest.mark.parametrize(
    ("rule", "result", "best"),
    [
        # e2 and e1 have two points each; e2 won their match.
        (
            "direct-encounter",
            scored(PairScore(2, 1, 2, 0, 0), PairScore(1, 3, 2, 0, 0), PairScore(0, 3, 0, 2, 0)),
            "e2",
        ),
        # All but e3 have two draws; e1 beat the one who has points, e0 the one who has none.
        (
            "sonneborn-berger",
            scored(PairScore(1, 2, 2, 0, 0), PairScore(2, 3, 2, 0, 0), PairScore(3, 0, 0, 0, 2)),
            "e1",
        ),
        (
            "captures",
            scored(PairScore(0, 1, 0, 2, 0, captures=(3, 4)), PairScore(0, 2, 0, 2, 0, captures=(5, 9))),
            "e2",
        ),
        (
            "shortest-win",
            scored(PairScore(0, 1, 1, 0, 1, shortest=(40, 31)), PairScore(2, 3, 1, 0, 1, shortest=(50, 35))),
            "e1",
        ),
    ],
)
def test_each_tie_break_decides_a_group(rule: str, result: Result, best: str) -> None:
    """Without it the lot or a play-off would decide."""
    assert order(4, result, tie_breaks=(rule,), go_on=2)[0] == best


def test_where_not_all_who_are_tied_can_go_on_they_play_a_pair_of_games() -> None:
    """Three of four are tied for two places: they alone meet, for a pair of games each; the table says so."""
    last = scored(*(PairScore(each, 3, 2, 0, 0, shortest=(50, 0)) for each in range(3)))
    past = played(contest(4), last, better_wins)
    assert [len(each.round.pairings) for each in past] == [6, 3, 1]
    assert (past[1].round.games, past[1].round.number) == (2, 1)
    assert {player for pairing in past[1].round.pairings for player in pairing} == {0, 1, 2}
    rows = outcome(4, past).values["groups"][0]
    assert [(row["name"], row["by"]) for row in rows] == [*((f"e{k}", "play-off") for k in range(3)), ("e3", "")]
    assert [row["goes_on"] for row in rows] == [True, True, False, False]


def test_where_the_play_off_is_level_the_lot_decides_and_is_told() -> None:
    """The lots depend on the seed; every engine has a chance."""
    through = Counter[str]()
    for seed in range(30):
        made = contest(4, seed)
        past = played(made, drawn, drawn, better_wins)
        found = outcome(4, past, seed)
        rows = found.values["groups"][0]
        assert all(row["by"] == "lot" for row in rows)
        assert f"lots: the SHA-256 of '{seed} NAME', the lowest first" in found.lines
        through.update(row["name"] for row in rows if row["goes_on"])
    assert set(through) == set(names(4)) and max(through.values()) < 25


def test_a_level_match_is_decided_by_tie_breaks_then_by_a_pair_of_games_then_by_the_lot() -> None:
    """In the order of the file; the bracket says what decided."""
    level = PairScore(0, 1, 1, 0, 1, captures=(3, 5), shortest=(40, 60))
    for breaks, winner in ((("captures",), "e1"), (("shortest-win", "captures"), "e0")):
        past = played(contest(2, tie_breaks=breaks), scored(level))
        found = outcome(2, past, tie_breaks=breaks).values
        (((match,),), told) = found["bracket"], found["winner"]
        assert (match["winner"], match["by"], told) == (winner, breaks[0], winner)
    past = played(contest(2), drawn, drawn, better_wins)
    assert [each.round.games for each in past] == [2, 2, 2]
    assert outcome(2, past).values["bracket"][0][0]["by"] == "points", "of the extra games"
    winners = Counter[str]()
    for seed in range(20):
        past = played(contest(2, seed), drawn)
        ((match,),) = outcome(2, past, seed).values["bracket"]
        assert match["by"] == "lot"
        winners[match["winner"]] += 1
    assert len(past) == 3 and min(winners.values()) > 3


def test_the_games_of_who_missed_more_than_half_count_for_nobody() -> None:
    """e0 lost its first game to e1 and missed all others: e2 and e3 get nothing for it, and e1 loses what it won."""
    away = [PairScore(0, 1, 0, 0, 2, shortest=(0, 30)), *(PairScore(0, k, 0, 0, 2, missed=(2, 0)) for k in (2, 3))]
    rest = [PairScore(2, 1, 1, 1, 0, shortest=(50, 0)), PairScore(3, 1, 0, 2, 0)]
    past = played(contest(4), scored(*away, *rest), better_wins, withdrawn=frozenset({0}))
    rows = outcome(4, past).values["groups"][0]
    assert [(row["name"], row["points"]) for row in rows] == [("e2", 2.5), ("e3", 2), ("e1", 1.5), ("e0", 0)]
    assert [row["by"] for row in rows] == ["", "", "", "withdrawn"]


def test_the_games_of_who_missed_at_most_half_count_and_it_does_not_go_on() -> None:
    """e0 won four of its six games before it dropped out: those stand, the missed ones are lost; e1 and e2 go on."""
    away = [PairScore(0, 1, 2, 0, 0), PairScore(0, 2, 2, 0, 0), PairScore(0, 3, 0, 0, 2, missed=(2, 0))]
    rest = [PairScore(1, 3, 2, 0, 0), PairScore(2, 3, 1, 1, 0)]
    past = played(contest(4), scored(*away, *rest), better_wins, withdrawn=frozenset({0}))
    rows = outcome(4, past).values["groups"][0]
    assert (rows[0]["name"], rows[0]["points"], rows[0]["by"], rows[0]["goes_on"]) == ("e0", 4, "withdrawn", False)
    assert {row["name"] for row in rows if row["goes_on"]} == {"e1", "e2"}


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"groups": 3}, "groups: 4 engines fill 2, with two in each: ask for fewer"),
        ({"groups": 2, "go_on": 3}, "go_on: the smallest group has 2, so no more can go on"),
        ({"go_on": 1}, "go_on: one engine has nobody to meet in the knockout"),
        ({"champion": "e9"}, "champion: there is no engine 'e9'; there are e0, e1, e2, e3"),
        ({"champion": "e1", "groups": 2, "go_on": 1}, "groups: 3 engines fill 1, with two in each"),
        ({"tie_breaks": ("buchholz",)}, "tie_breaks: 'buchholz' is not one of this format"),
    ],
)
def test_a_contest_that_cannot_be_played_is_refused(keys: dict[str, Any], said: str) -> None:
    """One sentence, with the key."""
    (fault,) = FormatConfig("contest", **keys).faults(names(4))
    assert f"{fault[0]}: {fault[1]}".startswith(said)
    (fault,) = FormatConfig("contest", champion="e1").faults(names(2))
    assert fault == ("champion", "a group needs two engines besides the champion: name more engines")
