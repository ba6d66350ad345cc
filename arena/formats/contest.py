"""A contest: groups, a play-off where a group is tied, a knockout of the best, and a champion who waits in the final.

Each stage is a tournament in another format among some of the players. What a file asks for is judged here, too.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Self

from arena.formats import base
from arena.formats.knockout import Knockout, sentence
from arena.formats.round_robin import RoundRobin
from arena.formats.tie_breaks import Break, FinalPlace, TieBreaks, ranked, strange_tie_breaks, tally

BREAKS: tuple[Break, ...] = ("direct-encounter", "sonneborn-berger", "captures", "shortest-win")
Points = Literal["1-0.5-0", "3-1-0"]
WINS: Mapping[Points, int] = {"1-0.5-0": 2, "3-1-0": 3}
"""What a win is worth where a draw counts 1."""
HEADINGS = {"direct-encounter": "direct", "sonneborn-berger": "S.-B.", "shortest-win": "shortest"}
"""Headings of a table for people, where they are not the keys of JSON."""
EXTRA_GAMES = 2
"""Games from each start of a play-off, and of a match of the knockout that is level after all tie-breaks."""


class Stage(NamedTuple):
    """A part of the contest. Its format and its rounds number its players from 0, in the order of `players`."""

    name: str
    players: tuple[int, ...]
    format: base.Format
    past: tuple[base.Played, ...]
    rounds_before: int = 0
    """The number of the round before its first one."""

    def next(self) -> base.Round | None:
        """Its next round, with the numbers of the contest."""
        if (round_ := self.format.next(self.past)) is None:
            return None
        return replace(
            round_,
            number=self.rounds_before + round_.number,
            pairings=tuple(base.Pairing(self.players[one], self.players[two]) for one, two in round_.pairings),
            byes=tuple(self.players[player] for player in round_.byes),
        )

    def best(self) -> int:
        """The winner of a knockout that is over."""
        assert isinstance(self.format, Knockout)
        *_, (_, (final,)) = self.format.bracket(self.past)
        winner = self.format.winner(final)
        assert winner is not None
        return self.players[winner]


class GroupPlace(NamedTuple):
    """A line of the table of a group, once that is settled."""

    line: FinalPlace
    by: str = ""
    """What placed it among equals after all tie-breaks: `play-off` or `lot`; `withdrawn` where it missed a game."""
    goes_on: bool = False


class Course(NamedTuple):
    """How far a contest has come."""

    stages: Sequence[Stage]
    """Those that began, each with its rounds."""
    tables: Sequence[Sequence[GroupPlace]] = ()
    """The groups, once they are settled."""
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Contest(base.TournamentFormat):
    """Everybody meets everybody of the group; `go_on` of each group go on; the winner of a knockout meets the champion.

    Where players are tied after all tie-breaks and not all of them can go on, they play a pair of games; then the lots
    decide.
    """

    name = "contest"
    keys = (
        base.Key("groups", int, 1, "contest: how many groups", 1, 1_000),
        base.Key(
            *("groups_by", Literal["rating", "draw"], "rating"),
            "contest: rating (dealt out by their order here) or draw (by lot)",
            example='"rating"',
        ),
        base.GAMES_PER_PAIRING,
        base.Key("go_on", int, 2, "contest: how many of each group reach the knockout", 1, 1_000),
        base.Key(
            *("seeds_by", Literal["rating", "groups"], "groups"),
            "contest: seeds of the knockout by the groups' tables, or rating (by their order here)",
            example='"groups"',
        ),
        Knockout.keys[0],
        base.Key("champion", str | None, None, "contest: waits in the final", example='"greedy"'),
        base.Key("points", Points, "1-0.5-0", "contest: or 3-1-0, in groups", example='"1-0.5-0"'),
        base.TIE_BREAKS,
    )
    summary = "everybody of the group, then the best of the groups in a knockout"

    players: int
    groups: tuple[tuple[int, ...], ...]
    go_on: int
    games: int
    best_of: int
    starts: int
    win: int
    breaks: tuple[Break, ...]
    seeds_by: Literal["rating", "groups"]
    champion: int | None
    lots: tuple[str, ...]
    """The lot of each player; the lower one is better."""

    @classmethod
    def make(cls, values: base.Values, names: Sequence[str], starts: int) -> Self:
        champion = None if values["champion"] is None else names.index(values["champion"])
        lots = tuple(hashlib.sha256(f"{values['seed']} {name}".encode()).hexdigest() for name in names)
        players = [player for player in range(len(names)) if player != champion]
        groups: list[list[int]] = [[] for _ in range(values["groups"])]
        drawn = values["groups_by"] == "draw"
        for place, player in enumerate(sorted(players, key=lots.__getitem__) if drawn else players):
            groups[place % len(groups) if drawn else thue_morse(place, len(groups))].append(player)
        return cls(
            len(names),
            tuple(tuple(sorted(group)) for group in groups),
            values["go_on"],
            values["games_per_pairing"],
            values["best_of"],
            starts,
            WINS[values["points"]],
            BREAKS if values["tie_breaks"] is None else tuple(values["tie_breaks"]),
            values["seeds_by"],
            champion,
            lots,
        )

    @classmethod
    def faults(cls, values: base.Values, names: Sequence[str]) -> base.Faults:
        yield from strange_tie_breaks(values, BREAKS)
        champion, groups, go_on = values["champion"], values["groups"], values["go_on"]
        if champion is not None and champion not in names:
            yield "champion", f"there is no engine {champion!r}; there are {', '.join(names)}"
            return
        players = len(names) - (champion is not None)
        if players < 2 and champion is not None:
            yield "champion", "a group needs two engines besides the champion: name more engines"
        elif groups > players // 2:
            yield (
                "groups",
                f"{players} engines fill {players // 2}, with two in each: ask for fewer, or name more engines",
            )
        elif go_on > players // groups:
            yield "go_on", f"the smallest group has {players // groups}, so no more can go on"
        elif groups * go_on == 1 and champion is None:
            yield "go_on", "one engine has nobody to meet in the knockout: let two go on, or name a champion"

    @classmethod
    def outcome(
        cls, values: base.Values, names: Sequence[str], starts: int, progress: base.Progression
    ) -> base.FormatOutcome:
        played = next(iter(progress.past), progress.current) or base.Played(base.Round(1, (), 0), ())
        whole = cls.make(values, names, starts)
        contest = whole.without(progress.absent)
        stages, places, winner = contest.course(progress.past)
        if not places:
            places = [[GroupPlace(line) for tied in group for line in tied] for group in contest._ranked(played)]
        groups = [[contest._row(place, names) for place in group] for group in places]
        for rows, members in zip(groups, whole.groups, strict=True):
            for player in members:
                if player in progress.absent:
                    line = FinalPlace(player, 0, (0,) * len(contest.breaks))
                    rows.append(contest._row(GroupPlace(line, "withdrawn"), names))
        shown = [
            [{HEADINGS.get(key, key.replace("_", " ")): _cell(row[key]) for key in row} for row in group]
            for group in groups
        ]
        tables = [base.OutcomeTable(f"group {number}", rows) for number, rows in enumerate(shown, 1)]
        lines: list[str] = []
        bracket: list[list[dict[str, Any]]] = []
        for stage in stages:
            if isinstance(stage.format, Knockout):
                final = ", the champion's match" if stage.name == "champion" else ""
                bracket += stage.format.bracket_values(stage.past, [names[player] for player in stage.players])
                for number, duels in enumerate(bracket[stage.rounds_before - 1 :], stage.rounds_before + 1):
                    lines += [f"round {number}{final}", *(f"  {sentence(duel)}" for duel in duels)]
        if values["groups_by"] == "draw" or any(row["by"] == "lot" for rows in (*groups, *bracket) for row in rows):
            lines.append(f"lots: the SHA-256 of '{values['seed']} NAME', the lowest first")
        best = None if winner is None else names[winner]
        lines += [] if best is None else [f"winner of the contest: {best}"]
        standing = {"stage": stages[-1].name, "groups": groups, "bracket": bracket, "winner": best}
        return base.FormatOutcome(standing, tables, lines)

    def _row(self, place: GroupPlace, names: Sequence[str]) -> dict[str, Any]:
        worth: dict[str, float] = dict(zip(self.breaks, place.line.values, strict=True))
        name, points = names[place.line.player], place.line.points
        return {"name": name, "points": points, **worth, "by": place.by, "goes_on": place.goes_on}

    @property
    def most(self) -> int:
        """The games of all groups, play-offs and matches."""
        met = sum(len(group) * (len(group) - 1) // 2 for group in self.groups)
        matches = len(self.groups) * self.go_on - 1 + (self.champion is not None)
        return met * (self.games + EXTRA_GAMES) + matches * (self.best_of + EXTRA_GAMES)

    @property
    def counts_captures(self) -> bool:
        return "captures" in self.breaks

    def next(self, past: Sequence[base.Played], withdrawn: frozenset[int] = frozenset()) -> base.Round | None:
        """The next round of the stage that is being played; None where all are over."""
        absent = past[0].round.absent if past else withdrawn
        if self.players - len(absent) < 2:
            return None
        round_ = self.without(absent).course(past).stages[-1].next()
        return None if round_ is None else replace(round_, absent=absent)

    def without(self, absent: frozenset[int]) -> "Contest":
        """The contest of all others."""
        groups = tuple(tuple(player for player in group if player not in absent) for group in self.groups)
        return replace(self, groups=groups, champion=None if self.champion in absent else self.champion)

    def course(self, past: Sequence[base.Played]) -> Course:
        """How far the contest has come with these rounds."""
        rest = list(past)
        stages: list[Stage] = []

        def play(name: str, players: Sequence[int], format_: base.Format, rounds_before: int = 0) -> bool:
            """Add a stage with its rounds. True if it is over."""
            own: list[base.Played] = []
            while rest and format_.next(own) is not None:
                own.append(_renumbered(rest.pop(0), players))
            stages.append(Stage(name, tuple(players), format_, tuple(own), rounds_before))
            return stages[-1].next() is None

        everybody = range(self.players)
        each = [_pairings(group) for group in self.groups]
        # The groups take turns, so that games at once have other engines.
        met = tuple(pairs[k] for k in range(max(map(len, each))) for pairs in each if k < len(pairs))
        if not play("groups", everybody, base.Fixed(self.players, met, 1, self.games)):
            return Course(stages)
        groups = last = stages[0].past[0]
        if ties := tuple(pair for tied in self._ties(groups) for pair in _pairings(tied)):
            if not play("play-off", everybody, base.Fixed(self.players, ties, 1, EXTRA_GAMES)):
                return Course(stages)
            last = stages[1].past[0]
        tables = self._places(groups, last)
        seeds = self._seeds(tables)
        winner = seeds[0] if seeds else self.champion
        if len(seeds) > 1:
            if not play("knockout", seeds, self._knockout(seeds), 1):
                return Course(stages, tables)
            winner = stages[-1].best()
        if winner is not None and self.champion not in (None, winner):
            pair = (self.champion, winner)
            if not play("champion", pair, self._knockout(pair), 1 + (len(seeds) - 1).bit_length()):
                return Course(stages, tables)
            winner = stages[-1].best()
        return Course(stages, tables, winner)

    def _knockout(self, players: Sequence[int]) -> Knockout:
        lots = tuple(self.lots[player] for player in players)
        return Knockout(len(players), self.best_of, self.starts, EXTRA_GAMES // 2, self.breaks, lots)

    def _ranked(self, played: base.Played) -> list[list[list[FinalPlace]]]:
        """Each group by points and tie-breaks, in lists of those that are tied.

        Who missed more than half of its games is last, and its games count for nobody.
        """
        missed = dict.fromkeys(range(self.players), 0)
        for met in played.scores:
            missed[met.first] += met.missed[0]
            missed[met.second] += met.missed[1]
        games = self.games * self.starts
        out = {player for group in self.groups for player in group if 2 * missed[player] > games * (len(group) - 1)}
        kept = tuple(met for met in played.scores if not out & {met.first, met.second})
        scores = tally(self.players, games, [played._replace(scores=kept)], self.win)
        groups = []
        for group in self.groups:
            present, absent = [[p for p in group if (p in out) == gone] for gone in (False, True)]
            groups.append([*self._order(present, scores), *self._order(absent, scores)])
        return groups

    def _order(self, players: Sequence[int], scores: Sequence[TieBreaks]) -> list[list[FinalPlace]]:
        return ranked(players, scores, self.games * self.starts, self.breaks, self.win)

    def _ties(self, played: base.Played) -> Iterator[list[int]]:
        """Those that are tied in a group where not all of them can go on."""
        for group in self._ranked(played):
            free = self.go_on
            for tied in group:
                players = [line.player for line in tied if line.player not in played.withdrawn]
                if 0 < free < len(players):
                    yield players
                free -= len(players)

    def _places(self, played: base.Played, last: base.Played) -> list[list[GroupPlace]]:
        """The table of each group after its games and the play-off, the last round where there was one."""
        extra = () if last is played else last.scores
        points = Counter({player: 0 for met in extra for player in (met.first, met.second)})
        for met in extra:
            points.update(dict(zip((met.first, met.second), met.points, strict=True)))
        tables = []
        for group in self._ranked(played):
            free, table = self.go_on, []
            for tied in group:
                counts = [points[line.player] for line in tied]
                for line in sorted(tied, key=lambda line: (-points[line.player], self.lots[line.player])):
                    player = line.player
                    by = "lot" if counts.count(points[player]) > 1 else "play-off" if player in points else ""
                    there = player not in last.withdrawn
                    table.append(GroupPlace(line, by if there else "withdrawn", there and free > 0))
                    free -= there
            tables.append(table)
        return tables

    def _seeds(self, tables: Sequence[Sequence[GroupPlace]]) -> list[int]:
        """Those that go on, the best seed first.

        By groups: the winners of the groups by their share of points, then those after them in the same order of
        groups, turned so that as few as possible of one group meet in the first round.
        """
        going = [[place.line for place in table if place.goes_on] for table in tables]
        if self.seeds_by == "rating":
            return sorted(line.player for group in going for line in group)

        def strength(group: Sequence[FinalPlace]) -> tuple[Fraction, str]:
            size = next(len(each) for each in self.groups if group[0].player in each)
            return -Fraction(group[0].points) / max(1, size - 1), self.lots[group[0].player]

        groups = sorted(filter(None, going), key=strength)
        if sum(map(len, groups)) < 2:
            return [line.player for group in groups for line in group]
        group_of = {player: number for number, group in enumerate(self.groups) for player in group}

        def turned(by: int) -> list[int]:
            lines = [[group[place].player for group in groups if place < len(group)] for place in range(self.go_on)]
            return [player for k, line in enumerate(lines) for player in (line[by:] + line[:by] if k else line)]

        def again(seeds: Sequence[int]) -> int:
            first = Knockout(len(seeds)).next(())
            return (
                0 if first is None else sum(group_of[seeds[one]] == group_of[seeds[two]] for one, two in first.pairings)
            )

        return min(map(turned, range(len(groups))), key=again)


def thue_morse(place: int, groups: int) -> int:
    """The group of a place, from 0, in the sequence of Thue and Morse: the sum of its digits to the base `groups`."""
    total = 0
    while place and groups > 1:
        place, digit = divmod(place, groups)
        total += digit
    return total % groups


def _cell(value: Any) -> object:
    return ("yes" if value else "") if isinstance(value, bool) else value


def _pairings(players: Sequence[int]) -> list[base.Pairing]:
    """Everybody of these meets everybody."""
    return [base.Pairing(players[one], players[two]) for one, two in RoundRobin(len(players))]


def _renumbered(played: base.Played, players: Sequence[int]) -> base.Played:
    """A round of the contest with the numbers of a stage's players."""
    number = {player: own for own, player in enumerate(players)}
    scores = tuple(met._replace(first=number[met.first], second=number[met.second]) for met in played.scores)
    withdrawn = frozenset(number[player] for player in played.withdrawn if player in number)
    return base.Played(replace(played.round, absent=frozenset()), scores, withdrawn)
