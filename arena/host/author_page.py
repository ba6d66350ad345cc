"""What an author may see of the own engine, beyond the public pages: the certificates of the door, why games were lost,
last words, the dialogue.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.web.pages.check_reports import CheckPage, report_page
from arena.web.pages.source import PageSource
from arena.web.privacy import Privacy
from results.record import FORFEITS, CheckReport, Evidence, Player, Side
from results.store.filter import Filter, Selection
from results.store.reader import Brief
from results.store.store import Store

MOST_REPORTS = 5
"""The certificates of so many of the last checks are shown."""
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
    """The certificates and games of a guest, the last one first, and the evidence of its own faults."""

    name: str
    checks: tuple[tuple[str, CheckPage], ...]
    """Each with the build, such as `fox@2`; empty for one that never played."""
    games: tuple[OwnGame, ...]
    faults: tuple[tuple[OwnGame, Evidence], ...]


def is_guest(player: Player) -> bool:
    """Is this player the engine of a guest? Its command is a relay's, which ends with the guest's name and digest."""
    return list(player.command[-2:]) == [player.family, player.sha256]


def reports_of(path: Path, guest: str) -> list[tuple[int, CheckReport]]:
    """The last certificates of a guest, of the database that has them. Raises StoreError."""
    if not path.exists():
        return []
    with Store.open_existing(path, upgrade=False) as store:
        return store.check_reports_of(guest, MOST_REPORTS)


def author_page(source: PageSource, guest: str, reports: Sequence[tuple[int, CheckReport]] = ()) -> AuthorPage:
    """The page of a guest's author: of all builds of the engine, and nothing that an opponent wrote."""
    store, games, builds = source.store, [], dict[str, str]()
    for run in store.runs():
        for player in store.players(run.id):
            if player.family == guest and is_guest(player):
                builds[player.sha256] = player.name
                chosen = Selection(Filter(run=run.id, engine=player.name), limit=MOST_GAMES, last=True)
                games += [_own(game, player.name) for game in store.briefs(chosen)]
    games.sort(key=lambda own: own.game.started_at, reverse=True)
    faults: list[tuple[OwnGame, Evidence]] = []
    for own in games:
        if own.result == "lost" and own.game.termination in FORFEITS and len(faults) < MOST_FAULTS:
            evidence = store.game(own.game.id).evidence
            if evidence is not None and evidence.side == own.side:
                faults.append((own, evidence))
    # Nothing in them is the host's own, and the author may see what the engine wrote.
    checks = [
        (builds.get(report.fingerprint, ""), report_page(number, report, Privacy(False))) for number, report in reports
    ]
    return AuthorPage(guest, tuple(checks), tuple(games[:MOST_GAMES]), tuple(faults))


def _own(game: Brief, name: str) -> OwnGame:
    side: Side = "p1" if game.p1 == name else "p2"
    result = "drawn" if game.winner == "draw" else "won" if game.winner == side else "lost"
    return OwnGame(game, name, game.p2 if side == "p1" else game.p1, side, result)
