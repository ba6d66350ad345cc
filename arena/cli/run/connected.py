"""Runs the client of an open ladder in a terminal: what it is asked for, and Ctrl-C."""

import asyncio
import contextlib
import re
import shlex
import signal
import ssl
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from arena.cli.errors import BadInput
from arena.cli.output import echo, notify
from arena.games.user_file import read_start
from arena.loopback import is_loopback
from results.tables.text_width import cut

if TYPE_CHECKING:
    from arena.connect.client import Target
    from arena.play.jobs import EngineSpec

LONGEST_FILE = 4_096
"""Bytes of the token's file that are read."""
LONGEST = 300
"""Columns of a word of the host's that are shown."""


def target_of(url: str, token_file: Path, ca: Path | None, insecure: bool, command: Sequence[str]) -> "Target":
    """Where to connect, and as whom. Raises BadInput, ConfigError and OSError."""
    if find_spec("websockets") is None:
        raise BadInput("arena connect needs websockets: pip install 'callanish-arena[host]'")
    from arena import version
    from arena.config.engine_argument import engine_argument
    from arena.config.load import load_registry
    from arena.connect.client import Target
    from arena.connect.messages import LONGEST_TOKEN
    from arena.ladder.file_watch import digest
    from arena.planning.engine_files import sha256

    scheme, host = _scheme_and_host(url)
    if scheme == "ws" and not (insecure or is_loopback(host)):
        raise BadInput(f"{url}: others could read your token on the way: write wss://, or give --insecure")
    if scheme == "ws" and ca is not None:
        raise BadInput("--ca goes with wss://: leave it out, or write wss://")
    try:
        words = read_start(token_file, LONGEST_FILE).decode("ascii", "replace").split()
    except OSError as error:
        why = f"{token_file}: cannot be read ({error.strerror}): --token-file names the file with the token"
        raise BadInput(why) from None
    if len(words) != 1 or not re.fullmatch(r"[!-~]+", words[0]) or len(words[0]) > LONGEST_TOKEN:
        raise BadInput(f"{token_file}: has no token: it must hold the one line that the organiser sent")
    try:
        tls = ssl.create_default_context(cafile=ca) if scheme == "wss" else None
    except ssl.SSLError as wrong:
        raise BadInput(f"--ca {ca}: is no certificate ({wrong.reason})") from None
    except OSError as error:
        raise BadInput(f"--ca {ca}: cannot be read ({error.strerror})") from None
    spec = engine_argument(command[0] if len(command) == 1 else shlex.join(command), load_registry())
    return Target(
        url,
        words[0],
        tls,
        spec.command,
        digest(spec, sha256(spec)),
        version.number(),
        options=_option_lines(spec),
        environment=spec.sandbox.environment,
        directory=spec.sandbox.directory,
    )


def _option_lines(spec: "EngineSpec") -> bytes:
    """The lines that set the author's options. The engine is started once, for it says what may be set, and how."""
    from arena.planning.introductions import check_options
    from arena.play.trial_start import introduce
    from protocol.grammar import set_as_asked

    if not spec.options:
        return b""
    ((identity, refusal),) = introduce([replace(spec, options={})])
    if refusal:
        raise BadInput(refusal)
    check_options(spec, identity)
    return b"".join(set_as_asked(identity.options[name.lower()], value) for name, value in spec.options.items())


def _scheme_and_host(url: str) -> tuple[str, str]:
    with contextlib.suppress(ValueError):  # of its port, or of its brackets
        parts = urlsplit(url)
        more = parts.path.strip("/"), parts.query, parts.username, parts.port == 0
        if parts.scheme in ("ws", "wss") and parts.hostname and not any(more):
            return parts.scheme, parts.hostname
    raise BadInput(f"{url}: is no address of a ladder: write wss://HOST:PORT")


class Lines:
    """What an author sees: what the host says, and a line for the begin and the end of each game.

    A host may say anything, so each word is cut.
    """

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self.say = notify

    def played(self, news: Mapping[str, Any]) -> None:
        if self._quiet:
            return
        words = defaultdict(str, {key: cut(str(value), LONGEST) for key, value in news.items()})
        game, opponent = f"game {words['game']}", f"against {words['opponent']}"
        if "result" in words:
            echo(f"{game}: {words['result']} {opponent} by {words['by']} {words['detail']}".rstrip())
        else:
            echo(f"{game}: {words['side']} {opponent}, {words['variant']}, {words['tc']}")


def run_client(target: "Target", quiet: bool) -> None:
    """Play until Ctrl-C: after the game at the first one, at once at the second. Raises ConnectionRefused."""
    from arena.connect.client import MAY_ASK, Client

    async def run() -> None:
        client = Client(target, Lines(quiet))
        task = asyncio.current_task()
        assert task is not None
        interrupts = 0

        def interrupted() -> None:
            nonlocal interrupts
            interrupts += 1
            if interrupts > 1:
                task.cancel()
            else:
                notify("the client ends after its game; Ctrl-C again ends it at once")
                client.leave()

        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, interrupted)
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
        await client.run()

    try:
        notify(MAY_ASK)
        asyncio.run(run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
