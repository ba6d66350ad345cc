"""Plays a ladder with guests from the command line: the process of pages and lines beside it, and who is there."""

import contextlib
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena import games_at_once
from arena.cli.errors import BadInput
from arena.cli.options import OutputOptions
from arena.cli.output import LOG, echo, warn
from arena.cli.run.play_ladder import play_ladder
from arena.config import load
from arena.host.accounts import Accounts
from arena.host.door import checked
from arena.host.hub_process import hub_beside
from arena.host.presence import OpenLadderFile, Presence
from arena.loopback import is_loopback
from arena.planning.containment import Containment
from arena.planning.prepared_run import PreparedRun, RunOptions
from arena.timing.time_control import lag_warning
from arena.web.server import listening

GAMES = 16
"""The games that are played at once, unless the file says more or less. Games of guests alone cost next to no CPU."""


@dataclass(frozen=True, slots=True)
class Listening:
    """Where the ladder takes connections."""

    host: str
    port: int
    tls: tuple[Path, Path] | None
    """A certificate and its key."""

    @classmethod
    def of(cls, host: str, port: int, cert: Path | None, key: Path | None, insecure: bool) -> "Listening":
        """What the options ask for. Raises BadInput where others could read tokens."""
        if (cert is None) != (key is None):
            raise BadInput("--cert and --key go together: give both, or none")
        if cert is None and not (insecure or is_loopback(host)):
            raise BadInput(
                f"--host {host}: others could read the tokens of guests: give --cert FILE and --key FILE, "
                "or --insecure if nobody else can listen"
            )
        if cert is None or key is None:
            return cls(host, port, None)
        for option, path in (("cert", cert), ("key", key)):
            try:
                path.read_bytes()
            except OSError as error:
                raise BadInput(f"--{option} {path}: cannot be read ({error.strerror}): check its path") from None
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(cert, key, password="")
        except ssl.SSLError as wrong:
            why = wrong.reason or "not as PEM"
            raise BadInput(f"{cert} and {key} are no certificate with its key ({why}): check both") from None
        return cls(host, port, (cert, key))


def play_open_ladder(
    file: Path,
    db: Path,
    place: Listening,
    sandboxes: Containment,
    output: OutputOptions,
    games: int | None,
    hours: float | None,
) -> None:
    """Play the ladder of a file with guests until it is stopped."""
    watched = OpenLadderFile(file, load.load_registry, sandboxes.apply, beside=[load.user_registry_path()], guests=True)
    table = watched.engine_list.table
    if table.freeze:
        raise BadInput(f"{file}: tournament.freeze: engines at home with their authors have no CPU here: leave it out")
    # Relays are not kept on one CPU: they would wait there for each other.
    how = RunOptions(sandboxes, db, table.concurrency or GAMES, pin=False)
    local_games = min(how.games_at_once, games_at_once.in_a_run())

    @contextlib.contextmanager
    def beside(run: PreparedRun) -> Iterator[Presence]:
        plan, store = run.plan, run.store
        accounts = Accounts.beside(db)
        accounts.all()  # what cannot be read is said now
        for warning in filter(None, (lag_warning(limit, plan.lag_ms) for limit in dict.fromkeys(plan.limits))):
            LOG.warning(warning)
        with listening.listen(place.host, place.port) as opened:
            scheme = "http" if place.tls is None else "https"
            url = listening.url(opened, place.host).replace("http", scheme, 1)
            if place.tls is None and not is_loopback(place.host):
                warn(
                    f"--insecure: anyone who listens between {url} and a guest can read its token and play in its name"
                )
            is_open = not is_loopback(place.host)
            with hub_beside(db, accounts.path, opened, place.host, place.tls, open_pages=is_open) as hub:
                echo(f"{url} shows the ladder; guests connect with: arena connect {url.replace('http', 'ws', 1)}")
                presence = Presence(
                    hub,
                    lambda spec: checked(spec, plan.starts, plan.limits),
                    LOG.info,
                    local_games=local_games,
                    lag_ms=plan.lag_ms,
                )
                presence.go_on(store.players(plan.run_id), store.withdrawn(plan.run_id))
                watched.presence = presence
                watched.look()
                try:
                    yield presence
                finally:
                    presence.close()

    play_ladder(watched, how, output, games, hours, beside)
