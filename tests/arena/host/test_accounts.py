"""The guests of a ladder: tokens, their file, and who may use which name."""

import fcntl
import json
import os
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena.config import load
from arena.host.accounts import AccountError, Accounts
from tests.command_line import program

DAY_S = 86_400
LADDER = '[tournament]\ntc = "5+0.2"\n'


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    return Accounts.beside(tmp_path / "open.db")


def find(accounts: Accounts, token: str, now_s: float) -> str | None:
    """Whose token this is, by a file that is read for the first time and can be."""
    return Accounts(accounts.path, pytest.fail).find(token, now_s)


def test_a_token_finds_its_guest_until_it_expires_or_is_revoked(accounts: Accounts) -> None:
    """Each to its own; a revoked one finds nobody from the next look on."""
    assert find(accounts, "anything", 0) is None and accounts.all() == ()
    fox = accounts.invite("fox", 1000, 2, ())
    owl = accounts.invite("owl", 1000, None, ())
    assert [find(accounts, token, 1000) for token in (fox, owl, fox + "x", "", "\udcff", "é")] == [
        "fox", "owl", None, None, None, None,
    ]  # fmt: skip
    assert find(accounts, fox, 1000 + 2 * DAY_S - 1) == "fox" and find(accounts, fox, 1000 + 2 * DAY_S) is None
    accounts.revoke("owl", 1001)
    assert find(accounts, owl, 1002) is None and find(accounts, fox, 1002) == "fox"


def test_the_hash_of_a_token_opens_nothing(accounts: Accounts) -> None:
    """Whoever has read the file is not let in, and the file has no token."""
    token = accounts.invite("fox", 0, None, ())
    text = accounts.path.read_text()
    assert token not in text
    assert find(accounts, json.loads(text)["guests"][0]["sha256"], 0) is None


def test_the_file_is_its_owners_alone_from_its_first_byte_on(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the umask is, at its first and every later writing, and nothing is left beside it."""
    made: list[int] = []
    real = os.open

    def watched(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
        made.extend([mode] if flags & os.O_CREAT and str(path).endswith(".part") else [])
        return real(path, flags, mode, **more)

    monkeypatch.setattr(os, "open", watched)
    before = os.umask(0)
    try:
        for name in ("fox", "owl"):
            accounts.invite(name, 0, None, ())
            assert stat.S_IMODE(accounts.path.stat().st_mode) == 0o600
    finally:
        os.umask(before)
    assert made == [0o600, 0o600] and [path.name for path in accounts.path.parent.iterdir()] == ["open.guests.json"]


def test_a_file_that_others_may_read_or_that_is_broken_lets_nobody_in(accounts: Accounts) -> None:
    """One sentence names the file and the remedy."""
    token = accounts.invite("fox", 0, None, ())
    accounts.path.chmod(0o640)
    with pytest.raises(AccountError, match=r"open\.guests\.json: others may read or change it: chmod 600"):
        accounts.all()
    accounts.path.chmod(0o600)
    good = accounts.path.read_text()
    assert find(accounts, token, 0) == "fox"
    said: list[str] = []
    for text in ("", "[]", "{", '{"guests": [1]}', good.replace('"fox"', '"a b\\u001b"'), good.replace("null", '"x"')):
        accounts.path.write_text(text)
        with pytest.raises(AccountError, match="is not a file of guests"):
            accounts.all()
        assert Accounts(accounts.path, said.append).find(token, 0) is None


def test_while_the_file_cannot_be_read_those_who_were_in_it_go_on(accounts: Accounts) -> None:
    """An editor that writes it anew ends no client. The log is told once; what the next whole file says holds."""
    token = accounts.invite("fox", 0, 1, ())
    good, said = accounts.path.read_text(), list[str]()
    hub = Accounts(accounts.path, said.append)
    assert hub.find(token, 0) == "fox"
    for spoil, why in (
        (lambda: accounts.path.write_text(good[:50]), "is not a file of guests"),
        (lambda: accounts.path.chmod(0o644), "others may read or change it"),
        (accounts.path.unlink, "is gone"),
    ):
        spoil()
        assert [hub.find(token, 1) for _ in range(3)] == ["fox"] * 3 and hub.find("wrong", 1) is None
        assert hub.find(token, DAY_S) is None
        assert len(said) == 1 and why in said[0]
        said.clear()
    accounts.invite("owl", 1, None, ())
    assert hub.find(token, 1) is None and not said


def test_two_changes_at_once_lose_no_guest(accounts: Accounts) -> None:
    """The second is refused while the first is at it."""
    accounts.invite("fox", 0, None, ())
    folder = os.open(accounts.path.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    with pytest.raises(AccountError, match="another process is changing it: give the command again"):
        accounts.invite("owl", 0, None, ())
    os.close(folder)
    accounts.invite("owl", 0, None, ())
    assert [each.name for each in accounts.all()] == ["fox", "owl"]


@pytest.mark.parametrize(
    "name", ["", "a b", "../x", "-x", ".x", "x.", "x\n", "=1+1", "fox@2", "a" * 41, "\u202efox", "fox\u0301", "٣"]
)
def test_names_that_could_do_harm_are_refused(accounts: Accounts, name: str) -> None:
    """Nothing is written."""
    with pytest.raises(AccountError, match=r"the name .* cannot be used: write 1 to 40 letters"):
        accounts.invite(name, 0, None, ())
    assert not accounts.path.exists()


def test_a_name_is_one_player_alone(accounts: Accounts) -> None:
    """Not one of the file's engines, not twice while valid; a guest that comes back keeps its spelling."""
    with pytest.raises(AccountError, match="the ladder's file names an engine 'Greedy'"):
        accounts.invite("greedy", 0, None, ["random", "Greedy"])
    first = accounts.invite("Fox", 0, 1, ())
    with pytest.raises(AccountError, match="'Fox' is invited already: take another name, or revoke that token first"):
        accounts.invite("fox", 5, None, ())
    second = accounts.invite("fox", DAY_S, None, ())
    assert [find(accounts, token, DAY_S) for token in (first, second)] == [None, "Fox"]
    with pytest.raises(AccountError, match=r"no guest is called 'owl': .* has Fox"):
        accounts.revoke("owl", DAY_S)


def test_days_out_of_range_are_refused(accounts: Accounts) -> None:
    """One sentence names the range."""
    for days in (0, float("nan"), float("inf"), 3651):
        with pytest.raises(AccountError, match=r"--expires .* is out of range: it must be above 0 and at most 3650"):
            accounts.invite("fox", 0, days, ())


def test_the_commands_print_the_token_alone_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script can take it from stdout. The file may name no engine; lists and refusals never show it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(load, "user_registry_path", lambda: tmp_path / "none.toml")
    Path("open.toml").write_text(LADDER + '[[engines]]\nname = "random"\n')
    Path("bare.toml").write_text(LADDER)
    run = CliRunner().invoke

    def told(*words: str) -> tuple[int, str, str]:
        done = run(program(), ["host", *words])
        return done.exit_code, done.stdout, done.stderr

    code, token, notice = told("invite", "open.toml", "fox", "--expires", "30")
    assert code == 0 and len(token.splitlines()) == 1 and token.strip() not in notice
    assert find(Accounts(Path("open.guests.json")), token.strip(), 0) == "fox"
    assert told("invite", "open.toml", "random")[0] == 2
    code, table, _ = told("list", "open.toml")
    assert code == 0 and "fox" in table and "valid until" in table and token.strip() not in table
    assert told("revoke", "open.toml", "fox")[:2] == (0, "")
    assert find(Accounts(Path("open.guests.json")), token.strip(), 0) is None
    assert "revoked" in told("list", "open.toml")[1]
    again = told("revoke", "open.toml", "fox")
    assert again == (2, "", "arena: the token of 'fox' was revoked before; nothing changes\n")
    assert told("invite", "bare.toml", "fox", "--db", "other.db")[0] == 0 and Path("other.guests.json").exists()
    for words in (["list", "gone.toml"], ["revoke", "gone.toml", "fox"], ["invite", "gone.toml", "fox"]):
        assert told(*words) == (2, "", "arena: gone.toml: there is no such file; check the path\n")
    assert told("invite", "bare.toml", "fox", "--db", "none")[0] == 2
