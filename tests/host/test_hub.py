"""What the hub refuses of what clients say, and how it tells them; each time the others go on."""

import asyncio
import ipaddress
import json
import ssl
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from arena.connect import messages
from arena.connect.client import Target
from arena.connect.messages import encode, older
from tests.host.guests import Guest, Lab, connected, hub, session, wait_for
from tests.host.test_lines import begin, move

pytestmark = [pytest.mark.timeout(180), pytest.mark.usefixtures("nobody_is_there")]
HELLO = ["hello", messages.EDITION, "0", "d1", 1]


async def _connected(url: str, token: str) -> ClientConnection:
    return await connect(url, additional_headers={"Authorization": f"Bearer {token}"}, proxy=None)


def say(lab: Lab, *said: Any) -> tuple[int, str]:
    """Say this as the guest fox; a list is a message. Returns the code and the reason with which the host closes."""

    async def talk() -> tuple[int, str]:
        async with await _connected(lab.url + messages.PATH, lab.tokens["fox"]) as line:
            try:
                for each in said:
                    await line.send(json.dumps(each) if isinstance(each, list) else each)
                async with asyncio.timeout(60):
                    while True:
                        await line.recv()
            except ConnectionClosed as closed:
                assert closed.rcvd is not None
                return closed.rcvd.code, closed.rcvd.reason

    return asyncio.run(talk())


BROKEN: tuple[tuple[Any, ...], ...] = (
    ("no JSON",),
    (b"\x00",),
    (["hello"],),
    (["hello", messages.EDITION, "0", "d1", 0],),
    (["hello", messages.EDITION, "0", "d\x1b1", 1],),
    (["ended", 1, "text"],),
    (HELLO, HELLO),
    (HELLO, ["leaving", 1]),
    (HELLO, ["join", "key", "cat", "build"]),
    (HELLO, "[" * 100_000),
)


def test_a_client_that_says_what_it_may_not_say_is_closed_with_a_sentence(lab: Lab) -> None:
    """Whatever it is: the hub lives, and the game of another guest, whose clock runs, goes on.

    Whatever session of that game it asks for, it is closed without a word.
    """

    async def forge() -> None:
        for number in (*range(20), 5_000 * "9"):
            forged = await _connected(f"{lab.url}{messages.PATH}/{number}", lab.tokens["fox"])
            with pytest.raises(ConnectionClosed):
                await forged.recv()

    with connected(lab, "cat"), session(lab.spec("cat")) as line:
        begin(line)
        assert move(line).word == "e5"
        for said in BROKEN:
            code, reason = say(lab, *said)
            assert code == messages.BROKEN and reason.isprintable(), said
        assert move(line).word == "e5"
        assert say(lab, HELLO, ["x" * (messages.LONGEST + 1)])[0] == 1009, "too long"
        asyncio.run(forge())
        assert move(line).word == "e5"


def test_of_two_editions_the_sentence_says_which_is_older(lab: Lab) -> None:
    """Whatever the other edition says beside it."""
    for edition, side in ((messages.EDITION - 1, "the client"), (messages.EDITION + 1, "the host")):
        code, reason = say(lab, ["hello", edition, {"of": "another form"}])
        assert code == messages.WRONG_EDITION and reason.startswith(f"{side} is older than the other side")
    assert older(encode(*HELLO)) == "" and older("[]") == ""


def test_wrong_tokens_are_answered_late_and_fill_no_log(lab: Lab, capfd: pytest.CaptureFixture[str]) -> None:
    since_s = time.monotonic()
    for path in ("", "/" + 5_000 * "9"):
        with pytest.raises(InvalidStatus, match="403"):
            asyncio.run(_connected(lab.url + messages.PATH + path, "x"))
    assert time.monotonic() - since_s >= 0.6
    log = capfd.readouterr().err
    assert log.count("wrong token from 127.0.0.1") <= 1 and "Traceback" not in log


def certified(folder: Path) -> tuple[Path, Path]:
    """A certificate of this machine that signs itself, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a test")])
    own = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(1), now + timedelta(1))
    made = builder.add_extension(own, critical=False).sign(key, hashes.SHA256())
    files = folder / "server.pem", folder / "server.key"
    files[0].write_bytes(made.public_bytes(Encoding.PEM))
    files[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


def test_a_line_with_tls_needs_a_certificate_that_the_client_trusts(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """With the authority it plays; without, the client ends with exit code 2 and a sentence that names --ca.

    Meanwhile the file of guests is broken: the next beat finds it so, says so in the log, and ends no line.
    """
    certificate, key = certified(tmp_path)
    trusted = ssl.create_default_context(cafile=certificate)
    with hub(tmp_path, "fox", tls=(certificate, key)) as lab:
        url, token = f"wss://127.0.0.1:{lab.port}", lab.tokens["fox"]
        stranger = Guest(Target(url, token, ssl.create_default_context(), lab.engine(), "build", "0"))
        try:
            stranger.join()
            assert stranger.refused is not None and stranger.refused.exit_code == 2 and "--ca" in str(stranger.refused)
        finally:
            stranger.end()
        fox = Guest(Target(url, token, trusted, lab.engine(), "build", "0"))
        try:
            assert fox.welcomed.wait(60)
            with session(lab.spec("fox")) as line:
                begin(line)
                lab.accounts.path.write_text('{"guests": [')
                log: list[str] = []
                wait_for(lambda: log.append(capfd.readouterr().err) or "is not a file of guests" in "".join(log))  # type: ignore[func-returns-value]
                assert move(line).word == "e5" and fox.refused is None
        finally:
            fox.end()
