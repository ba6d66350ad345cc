"""What an author may see of the own engine, beyond the public pages: why games were lost, last words, the dialogue."""

from dataclasses import dataclass

from arena.web.pages.source import PageSource
from results.record import FORFEITS, Evidence, Side
from results.store.filter import Filter, Selection
from results.store.reader import Brief

MOST_GAMES = 200
"""So many of the last games are listed."""
MOST_FAULTS = 20
"""Of so many of the games that were lost by a fault, the evidence is shown."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game of the engine, as its author sees it."""

    game: Brief
    engine: str
    """The build, such as `fox@2`."""
    opponent: str
    side: Side
    result: str
    """An English word of the interface."""


@dataclass(frozen=True, slots=True)
class AuthorPage:
    """The games of a guest, the last one first, and the evidence of its own faults."""

    name: str
    games: tuple[OwnGame, ...]
    faults: tuple[tuple[OwnGame, Evidence], ...]


def author_page(source: PageSource, guest: str) -> AuthorPage:
    """The page of a guest's author: of all builds of the engine, and nothing that an opponent wrote."""
    store, games = source.store, []
    for run in store.runs():
        for player in store.players(run.id):
            if player.family == guest:
                chosen = Selection(Filter(run=run.id, engine=player.name), limit=MOST_GAMES, last=True)
                games += [_own(game, player.name) for game in store.briefs(chosen)]
    games.sort(key=lambda own: own.game.started_at, reverse=True)
    faults: list[tuple[OwnGame, Evidence]] = []
    for own in games:
        if own.result == "lost" and own.game.termination in FORFEITS and len(faults) < MOST_FAULTS:
            evidence = store.game(own.game.id).evidence
            if evidence is not None and evidence.side == own.side:
                faults.append((own, evidence))
    return AuthorPage(guest, tuple(games[:MOST_GAMES]), tuple(faults))


def _own(game: Brief, name: str) -> OwnGame:
    side: Side = "p1" if game.p1 == name else "p2"
    result = "drawn" if game.winner == "draw" else "won" if game.winner == side else "lost"
    return OwnGame(game, name, game.p2 if side == "p1" else game.p1, side, result)
