"""The commands of an open ladder, where they can be refused at once."""

from pathlib import Path

import pytest

from arena.cli.run.connected import target_of
from tests.arena.cli.conftest import Arena
from tests.arena.conftest import engine

FILE = '[tournament]\nname = "lad"\nvariants = ["callanish-5"]\nnodes = 5\n'
OPTIONS = """
echo option name Clear type button; echo option name Learn type button
echo option name Hash type spin default 1 min 1 max 9
"""


@pytest.fixture
def lad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "lad.toml"
    file.write_text(FILE)
    (tmp_path / "token").write_text("abc\n")
    (tmp_path / "empty").touch()
    return file


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--host", "0.0.0.0"), "others could read the tokens of guests"),
        (("--cert", "c.pem"), "--cert and --key go together"),
        (("--cert", "token", "--key", "token"), "no certificate with its key"),
        (("--cert", "none.pem", "--key", "token"), "--cert none.pem: cannot be read"),
        (("--db", "none"), "name a file"),
        (("--games", "0"), "--games 0: it must be at least 1"),
    ],
)
def test_a_ladder_that_cannot_be_opened_is_refused_before_anything_is_written(
    options: tuple[str, ...], sentence: str, lad: Path, arena: Arena
) -> None:
    done = arena("host", "start", lad, *options)
    assert done.exit_code == 2 and sentence in done.stderr.replace("\n", " ")
    assert not lad.with_suffix(".db").exists()


def test_what_needs_the_engine_on_this_machine_is_refused(lad: Path, arena: Arena) -> None:
    lad.write_text(FILE + "freeze = true\n")
    done = arena("host", "start", lad)
    assert done.exit_code == 2 and "have no CPU here" in done.stderr.replace("\n", " ")


CONNECT = {
    "http://127.0.0.1:1 --token-file token": "write wss://HOST:PORT",
    "ws://127.0.0.1:99999 --token-file token": "write wss://HOST:PORT",
    "ws://me:word@127.0.0.1:1 --token-file token": "write wss://HOST:PORT",
    "ws://example.org:1 --token-file token": "others could read your token",
    "ws://127.0.0.1:1 --token-file lad.toml": "lad.toml: has no token",
    "ws://127.0.0.1:1 --token-file empty": "empty: has no token",
    "ws://127.0.0.1:1 --token-file /dev/zero": "it is a device or a pipe",
    "ws://127.0.0.1:1 --token-file .": "--token-file names the file with the token",
    "ws://127.0.0.1:1 --token-file token --ca lad.toml": "--ca goes with wss://",
    "wss://127.0.0.1:1 --token-file token --ca lad.toml": "is no certificate",
    "wss://127.0.0.1:1 --token-file token --ca none.pem": "cannot be read",
}


@pytest.mark.parametrize("words", CONNECT)
def test_a_client_that_cannot_connect_as_asked_is_refused(words: str, lad: Path, arena: Arena) -> None:
    done = arena("connect", *words.split(), "--", "greedy")
    assert done.exit_code == 2 and CONNECT[words] in done.stderr.replace("\n", " ")


def test_a_host_that_does_not_answer_is_told_in_one_sentence(lad: Path, arena: Arena) -> None:
    done = arena("connect", "ws://127.0.0.1:1", "--token-file", "token", "--", "greedy")
    assert done.exit_code == 3 and "Traceback" not in done.stderr
    assert "nobody answers at ws://127.0.0.1:1" in done.stderr.replace("\n", " ")


def test_options_are_set_as_the_engine_declares_them_and_wrong_ones_are_refused(lad: Path, arena: Arena) -> None:
    """A button is pressed without a value, and not at all with false."""
    engine(lad.with_name("fox"), ugi=OPTIONS.strip())
    options = "fox:Clear=true,Learn=false,Hash=7"
    target = target_of("ws://127.0.0.1:1", lad.with_name("token"), None, False, [f"./{options}"])
    assert target.options == b"setoption name Clear\nsetoption name Hash value 7\n"
    for wrong, sentence in (("Hash=99", "Hash"), ("Clear=7", "is a button"), ("Depth=1", "has no option 'Depth'")):
        done = arena("connect", "ws://127.0.0.1:1", "--token-file", "token", "--", f"./fox:{wrong}")
        assert done.exit_code == 2 and sentence in done.stderr.replace("\n", " ")
