"""`arena host`: a ladder whose engines are at home with their authors, and who is invited to it."""

import json
import time
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options, output
from arena.cli.commands.playing.ladder import check_ladder, ladder_database
from arena.cli.db_options import AsJson
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, grouped, option

if TYPE_CHECKING:
    from arena.host.accounts import Account, Accounts

host = typer.Typer(no_args_is_help=True, help="Rate engines of other authors, who connect them with `arena connect`.")

LadderFile = Annotated[Path, argument("The ladder's file.", "LADDER.toml")]
Guest = Annotated[str, argument("What the guest is called in the tables.", "NAME")]
DatabaseOfLadder = Annotated[
    Path | None, option("The ladder's database; the guests are beside it. [default: LADDER.db here]", "FILE")
]


@host.command()
@grouped
def start(
    file: LadderFile,
    *,
    port: Annotated[int, option("The port; 0: a free one, which is printed.", min=0, max=65_535)] = 8430,
    address: Annotated[
        str, option("The address to listen at; 0.0.0.0: all of this machine.", "ADDRESS", flag="--host")
    ] = "127.0.0.1",
    cert: Annotated[Path | None, option("The certificate of this server, as PEM.", "FILE")] = None,
    key: Annotated[Path | None, option("The key of that certificate.", "FILE")] = None,
    insecure: Annotated[
        bool, option("Take connections from elsewhere without a certificate.", flag="--insecure")
    ] = False,
    games: Annotated[int | None, option("Stop after this many games. [default: play on]", "N", min=1)] = None,
    hours: Annotated[float | None, option("Begin no game after this many hours. [default: play on]", "H")] = None,
    db: options.DatabaseOfFile = None,
    containment: options.ContainmentOptions,
    output_options: Annotated[options.OutputOptions, ("quiet",)],
) -> None:
    """Play a ladder with guests until stopped; its pages are at the same address."""
    if any(find_spec(module) is None for module in ("starlette", "uvicorn", "websockets")):
        raise BadInput("arena host start needs Starlette, uvicorn and websockets: pip install 'callanish-arena[host]'")
    from arena.cli.run.open_ladder import Listening, play_open_ladder

    db = check_ladder(file, hours, db)
    place = Listening.of(address, port, cert, key, insecure)
    play_open_ladder(file, db, place, containment.parse(db).begin(), output_options, games, hours)


@host.command()
def invite(
    file: LadderFile,
    name: Guest,
    expires: Annotated[float | None, option("Days after which the token expires. [default: never]", "DAYS")] = None,
    db: DatabaseOfLadder = None,
) -> None:
    """Invite an author: print the token with which the engine connects, once. Only its hash is kept."""
    from arena.config import load

    tournament = load.load_tournament(file, load.load_registry(), guests=True, starts=())
    accounts = _accounts(file, db)
    names = [spec.name for spec in tournament.engines]
    output.echo(accounts.invite(name, time.time(), expires, names))
    output.notify(f"{name} is invited; the guests are in {accounts.path}. Send the token to its author alone.")


@host.command("list")
def list_(file: LadderFile, db: DatabaseOfLadder = None, as_json: AsJson = False) -> None:
    """List the guests, each with the state of its token."""
    accounts, now_s = _accounts(file, db), time.time()
    if as_json:
        guests = [{**each.model_dump(exclude={"sha256"}), "valid": each.valid(now_s)} for each in accounts.all()]
        output.echo(json.dumps(guests))
        return
    rows = [("guest", "invited (UTC)", "token")]
    rows += [(each.name, _date(each.invited_s), _state(each, now_s)) for each in accounts.all()]
    output.print_table(rows)
    if len(rows) == 1:
        output.notify(f"nobody is invited yet: {output.program()} host invite {file} NAME")


@host.command()
def revoke(file: LadderFile, name: Guest, db: DatabaseOfLadder = None) -> None:
    """Make a guest's token invalid, at once."""
    accounts = _accounts(file, db)
    accounts.revoke(name, time.time())
    output.notify(f"the token of {name} is revoked")


def _accounts(file: Path, db: Path | None) -> "Accounts":
    from arena.host.accounts import Accounts

    db = ladder_database(file, db)
    if not file.is_file():
        raise BadInput(f"{file}: there is no such file; check the path")
    return Accounts.beside(db)


def _state(account: "Account", now_s: float) -> str:
    if account.revoked_s is not None:
        return f"revoked {_date(account.revoked_s)}"
    if account.expires_s is None:
        return "valid"
    return f"{'valid until' if account.valid(now_s) else 'expired'} {_date(account.expires_s)}"


def _date(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
