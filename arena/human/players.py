"""Who plays which side, under which names, and with which limit."""

import random
from collections.abc import Sequence

from arena.human.game import USUAL_MS
from arena.planning.errors import PlanError
from arena.play.time_control import BadLimit, Limit, parse
from results.record import GameRecord

HUMAN = "human"
PEOPLE = frozenset({HUMAN, "human-2", "human-p1", "human-p2"})
"""The names of people in a record."""
Players = tuple[str | None, str | None]
"""Who plays p1 and p2: an engine as the user wrote it, None for a person."""


def players(words: Sequence[str], side: str | None, saved: GameRecord | None) -> Players:
    """Who plays which side. `saved` is the game that goes on. Raises PlanError."""
    engines = [None if word == HUMAN else word for word in words]
    if len(engines) == 2:
        if None not in engines:
            raise PlanError(f"two engines play a match: arena match {words[0]} {words[1]} --games 1")
        if side is not None:
            raise PlanError("--side: the order of the two players says who is p1; leave it out")
        return engines[0], engines[1]
    if len(engines) > 2:
        raise PlanError(f"{len(engines)} players are named; a game has two")
    if engines == [None]:
        if side is not None:
            raise PlanError("--side: two people play, so nobody has a side; leave it out")
        return None, None
    people = [] if saved is None else [number for number, name in enumerate((saved.p1, saved.p2)) if name in PEOPLE]
    if not engines:
        if saved is None:
            raise PlanError(
                "nobody is named to play: 'arena play greedy' plays an engine, 'arena play human human' two"
            )
        if not people:
            raise PlanError(f"the game is one of {saved.p1} and {saved.p2}: name the engine that you want to play")
        return None if 0 in people else saved.p1, None if 1 in people else saved.p2
    if side == "random":
        person = random.SystemRandom().randrange(2)
    elif side is not None:
        person = ("p1", "p2").index(side)
    else:
        person = people[0] if people else 0
    return (None, engines[0]) if person == 0 else (engines[0], None)


def names(seated: Players, engine: str | None) -> tuple[str, str]:
    """The names of p1 and p2 in the record; `engine` is that of the engine that plays."""
    if engine is None:
        return "human-p1", "human-p2"
    person = "human-2" if engine == HUMAN else HUMAN
    return (person, engine) if seated[0] is None else (engine, person)


def limit(given: Limit | None, seated: Players, hint_engine: str | None, saved: GameRecord | None) -> Limit | None:
    """The clock of both sides, or the limit of the engine; None where two people play without a clock.

    Raises PlanError for the limit of an engine where none plays.
    """
    two_people = seated == (None, None)
    if given is not None:
        if given.kind != "clock" and two_people and hint_engine is None:
            raise PlanError(
                f"--{given.kind}: limits an engine, and two people play; name one for hints with --hint-engine"
            )
        return given
    if saved is not None:
        try:
            return parse(saved.tc)
        except BadLimit:
            pass  # another program's word, or `-` for a game without a limit
    return None if two_people else Limit("movetime", value=USUAL_MS)
