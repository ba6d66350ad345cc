"""The keys of a cluster, and the addresses that may be used without them."""

import os
import shutil
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from arena.cluster.access import access
from arena.cluster.errors import ClusterError
from arena.cluster.keys import KeyFolder, make

pytest.importorskip("cryptography", reason="needs the extra `cluster`")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cluster") / "keys"
    make(folder)
    return folder


def test_keys_are_files_that_only_their_owner_may_read(keys: Path) -> None:
    """All of them, and nothing beside them is in the folder."""
    names = ["ca.key", "ca.pem", "client.key", "client.pem", "server.key", "server.pem"]
    assert sorted(path.name for path in keys.iterdir()) == names
    assert {stat.S_IMODE(path.stat().st_mode) for path in keys.iterdir()} == {0o600}
    assert stat.S_IMODE(keys.stat().st_mode) == 0o700


def test_the_certificates_are_signed_by_the_authority_and_a_client_is_no_server(keys: Path) -> None:
    """So the key of an arena cannot stand in for a machine."""
    from cryptography import x509
    from cryptography.x509.oid import ExtendedKeyUsageOID

    authority = x509.load_pem_x509_certificate((keys / "ca.pem").read_bytes())
    uses = {}
    for role in ("server", "client"):
        certificate = x509.load_pem_x509_certificate((keys / f"{role}.pem").read_bytes())
        certificate.verify_directly_issued_by(authority)
        uses[role] = set(certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value)
    assert uses["client"] == {ExtendedKeyUsageOID.CLIENT_AUTH}
    assert uses["server"] == {ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.SERVER_AUTH}


def test_keys_are_never_replaced(keys: Path) -> None:
    """Machines that have the old ones could not come back."""
    before = (keys / "ca.pem").read_bytes()
    with pytest.raises(ClusterError, match=r"ca\.pem: exists already; name a new folder"):
        make(keys)
    assert (keys / "ca.pem").read_bytes() == before


def test_a_key_that_others_may_read_or_that_is_missing_is_refused(keys: Path, tmp_path: Path) -> None:
    """The sentence names the file and the remedy."""
    for name in ("ca.pem", "client.pem", "client.key"):
        (tmp_path / name).write_bytes((keys / name).read_bytes())
    os.chmod(tmp_path / "client.key", 0o644)
    with pytest.raises(ClusterError, match=r"others may read client\.key; keep it to yourself: chmod 600"):
        KeyFolder(tmp_path).check("client")
    os.chmod(tmp_path / "client.key", 0o600)
    KeyFolder(tmp_path).check("client")
    with pytest.raises(ClusterError, match=r"there is no file server\.pem"):
        KeyFolder(tmp_path).check("server")
    os.chmod(tmp_path / "ca.pem", 0o666)
    with pytest.raises(ClusterError, match=r"others may change ca\.pem; keep it to yourself: chmod 600"):
        KeyFolder(tmp_path).check("client")


def test_expired_keys_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the day and the remedy, before anything is connected. So are those of a clock that is behind."""
    for days, sentence in ((-1, r"ca\.pem has expired on 20.*make new keys"), (1, r"is valid from 20.*set the clock")):
        folder = tmp_path / str(days)
        with monkeypatch.context() as patch:
            patch.setattr("arena.cluster.keys.BEFORE", timedelta(days=-days))
            patch.setattr("arena.cluster.keys.VALID", timedelta(days=days, hours=1))
            make(folder)
        for role in ("server", "client"):
            with pytest.raises(ClusterError, match=sentence):
                KeyFolder(folder).check(role)


@pytest.mark.parametrize("name", ["ca.pem", "client.pem", "client.key"])
def test_keys_of_two_clusters_in_one_folder_are_refused(name: str, keys: Path, tmp_path: Path) -> None:
    """A copy that went wrong is told here, and not by the other end. So is a file that holds something else."""
    mixed = tmp_path / "mixed"
    make(tmp_path / "foreign")
    shutil.copytree(keys, mixed)
    shutil.copy(tmp_path / "foreign" / name, mixed)
    with pytest.raises(ClusterError, match=r"ca\.pem, client\.pem and client\.key are not of one cluster"):
        KeyFolder(mixed).check("client")
    (mixed / name).write_text("nothing")
    with pytest.raises(ClusterError, match=r"is no certificate|are not of one cluster"):
        KeyFolder(mixed).check("client")


@pytest.mark.parametrize(
    ("address", "given", "sentence"),
    [
        ("tcp://10.0.0.1:8786", False, "without --keys everybody who reaches it may run any program"),
        ("main", False, "without --keys everybody"),
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
        access(address, keys if given else None, role="client")


def test_addresses_of_this_machine_need_no_keys_and_others_only_with_insecure(keys: Path) -> None:
    """With keys every address will do, and the port is 8786 where none is given."""
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    for address in ("tcp://127.0.0.1:1", "tcp://[::1]:1", "localhost"):
        assert access(address, None, role="client").address.startswith("tcp://")
    assert access("tcp://main", None, role="client", insecure=True).address == "tcp://main:8786"
    assert access("main", keys, role="client").address == "tls://main:8786"
