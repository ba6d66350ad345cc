"""The keys of a cluster, and the addresses that may be used without them."""

import os
import shutil
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from arena.cluster.access import access
from arena.cluster.errors import ClusterError
from arena.cluster.keys import CERTIFICATE, KEY, check, make

pytest.importorskip("cryptography", reason="needs the extra `cluster`")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cluster") / "keys"
    make(folder)
    return folder


def test_keys_are_two_files_that_only_their_owner_may_read_and_that_are_never_replaced(keys: Path) -> None:
    """Machines that have the old ones could not come back."""
    assert sorted(path.name for path in keys.iterdir()) == [KEY, CERTIFICATE]
    assert {stat.S_IMODE(path.stat().st_mode) for path in keys.iterdir()} == {0o600}
    assert stat.S_IMODE(keys.stat().st_mode) == 0o700
    before = (keys / CERTIFICATE).read_bytes()
    with pytest.raises(ClusterError, match=r"cluster\.pem: exists already; name a new folder"):
        make(keys)
    assert (keys / CERTIFICATE).read_bytes() == before


def test_keys_that_cannot_be_used_are_refused(keys: Path, tmp_path: Path) -> None:
    """Those that are missing, that others may read, that are damaged, or not of one cluster: with file and remedy."""
    with pytest.raises(ClusterError, match=r"there is no file cluster\.pem; `arena cluster keys` makes it"):
        check(tmp_path)
    mine = tmp_path / "mine"
    shutil.copytree(keys, mine)
    check(mine)
    for name, mode, what in ((KEY, 0o644, r"read cluster\.key"), (CERTIFICATE, 0o666, r"change cluster\.pem")):
        os.chmod(mine / name, mode)
        with pytest.raises(ClusterError, match=f"others may {what}; keep it to yourself: chmod 600"):
            check(mine)
        os.chmod(mine / name, 0o600)
    make(tmp_path / "foreign")
    for name in (KEY, CERTIFICATE):
        before = (mine / name).read_bytes()
        shutil.copy(tmp_path / "foreign" / name, mine)
        with pytest.raises(ClusterError, match="are not of one cluster; copy both again"):
            check(mine)
        (mine / name).write_text("nothing")
        with pytest.raises(ClusterError, match="is damaged; copy both again"):
            check(mine)
        (mine / name).write_bytes(before)


def test_expired_keys_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the day and the remedy, before anything is connected. So are those of a clock that is behind."""
    for days, sentence in ((-1, "has expired on 20.*make new keys"), (1, "is valid from 20.*set the clock")):
        with monkeypatch.context() as patch:
            patch.setattr("arena.cluster.keys.BEFORE", timedelta(days=-days))
            patch.setattr("arena.cluster.keys.VALID", timedelta(days=days, hours=1))
            make(tmp_path / str(days))
        with pytest.raises(ClusterError, match=sentence):
            check(tmp_path / str(days))


@pytest.mark.parametrize(
    ("address", "given", "sentence"),
    [
        ("tcp://10.0.0.1:8786", False, "without --keys anyone who reaches it can run any program"),
        ("main", False, "without --keys anyone"),
        ("tls://main:8786", False, "needs --keys DIR"),
        ("tcp://127.0.0.1:8786", True, "keys go with tls://"),
        ("http://main", True, "cannot be read: write tls://HOST:8786"),
        ("main:99999", True, "cannot be read"),
        ("", True, "cannot be read"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(keys: Path, address: str, given: bool, sentence: str) -> None:
    """Above all a plain one that others can reach."""
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    with pytest.raises(ClusterError, match=sentence):
        access(address, keys if given else None)


def test_addresses_of_this_machine_need_no_keys(keys: Path) -> None:
    """With keys every address will do, and the port is 8786 where none is given."""
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    for address in ("tcp://127.0.0.1:1", "tcp://[::1]:1", "localhost"):
        assert access(address, None).address.startswith("tcp://")
    assert access("main", keys).address == "tls://main:8786"
