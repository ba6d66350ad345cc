"""The keys of a cluster: one certificate and its key, which all its machines and all its arenas have.

Anyone who has the key can run any program on every machine of the cluster.
"""

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

from arena.cluster.errors import ClusterError
from results.store.disk import naming

CERTIFICATE, KEY = "cluster.pem", "cluster.key"
VALID = timedelta(days=3650)
BEFORE = timedelta(days=1)
"""A certificate is valid from a day ago: the clock of another machine may be behind."""


def check(folder: Path) -> None:
    """Raise ClusterError for keys that are missing, open to others, not valid now, or not of each other."""
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    where = f"--keys {folder}"
    for name, forbidden, what in ((CERTIFICATE, 0o022, "change"), (KEY, 0o077, "read")):
        path = folder / name
        if not path.is_file():
            raise ClusterError(f"{where}: there is no file {name}; `arena cluster keys` makes it")
        if not os.access(path, os.R_OK):
            raise ClusterError(f"{where}: {name} cannot be read; check its permissions")
        if stat.S_IMODE(path.stat().st_mode) & forbidden:
            raise ClusterError(f"{where}: others may {what} {name}; keep it to yourself: chmod 600 {path}")
    try:
        certificate = x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes())
        key = load_pem_private_key((folder / KEY).read_bytes(), None)
    except (ValueError, TypeError):
        raise ClusterError(f"{where}: {CERTIFICATE} or {KEY} is damaged; copy both again") from None
    if key.public_key() != certificate.public_key():
        raise ClusterError(f"{where}: {CERTIFICATE} and {KEY} are not of one cluster; copy both again")
    now = datetime.now(UTC)
    if certificate.not_valid_after_utc < now:
        raise ClusterError(
            f"{where}: {CERTIFICATE} has expired on {certificate.not_valid_after_utc:%Y-%m-%d}; "
            "make new keys with `arena cluster keys`, for all machines"
        )
    if certificate.not_valid_before_utc > now:
        raise ClusterError(
            f"{where}: {CERTIFICATE} is valid from {certificate.not_valid_before_utc:%Y-%m-%d} on; "
            "set the clock of this machine"
        )


def make(folder: Path) -> list[Path]:
    """Make the keys in a folder, which is new or has none. Raises ClusterError and OSError."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from cryptography.x509.oid import NameOID

    paths = [folder / CERTIFICATE, folder / KEY]
    for path in paths:
        if path.exists():
            raise ClusterError(f"{path}: exists already; name a new folder, for machines know each other by these keys")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Callanish Arena cluster")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEFORE)
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    contents = (
        certificate.public_bytes(Encoding.PEM),
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )
    try:
        for path, content in zip(paths, contents, strict=True):
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with naming(path), open(fd, "wb") as file:
                file.write(content)
    except OSError:  # half of the keys would keep the next attempt from making all
        for path in paths:
            path.unlink(missing_ok=True)
        raise
    return paths
