"""The keys of a cluster: a certificate authority, and certificates for servers and for clients, all signed by it.

Whoever has a server's or a client's key may run any program on every machine of the cluster.
"""

import os
import stat
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cluster.errors import ClusterError
from results.store.disk import naming

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

VALID = timedelta(days=3650)
BEFORE = timedelta(days=1)
"""Certificates are valid from a day ago: the clock of another machine may be behind."""


@dataclass(frozen=True, slots=True)
class KeyFolder:
    """The folder of the keys. A machine that plays needs `ca.pem` and those of the server; an arena, of the client."""

    folder: Path

    @property
    def authority(self) -> Path:
        return self.folder / "ca.pem"

    def certificate(self, role: str) -> Path:
        """The certificate of a role, `server` or `client`."""
        return self.folder / f"{role}.pem"

    def key(self, role: str) -> Path:
        """The private key of a role, `server` or `client`."""
        return self.folder / f"{role}.key"

    def check(self, role: str) -> None:
        """Raise ClusterError for files of the role that are missing, open to others, expired, or not of one cluster."""
        for path, forbidden, what in (
            (self.authority, 0o022, "change"),
            (self.certificate(role), 0o022, "change"),
            (self.key(role), 0o077, "read"),
        ):
            if not path.is_file():
                raise ClusterError(f"--keys {self.folder}: there is no file {path.name}; `arena cluster keys` makes it")
            if not os.access(path, os.R_OK):
                raise ClusterError(f"--keys {self.folder}: {path.name} cannot be read; check its permissions")
            if stat.S_IMODE(path.stat().st_mode) & forbidden:
                raise ClusterError(
                    f"--keys {self.folder}: others may {what} {path.name}; keep it to yourself: chmod 600 {path}"
                )
        authority, certificate = _read_certificate(self.authority), _read_certificate(self.certificate(role))
        now = datetime.now(UTC)
        for path, each in ((self.authority, authority), (self.certificate(role), certificate)):
            if each.not_valid_after_utc < now:
                raise ClusterError(
                    f"--keys {self.folder}: {path.name} has expired on {each.not_valid_after_utc:%Y-%m-%d}; "
                    "make new keys with `arena cluster keys`, for all machines"
                )
            if each.not_valid_before_utc > now:
                raise ClusterError(
                    f"--keys {self.folder}: {path.name} is valid from {each.not_valid_before_utc:%Y-%m-%d} on; "
                    "set the clock of this machine"
                )
        if not _fit(authority, certificate, self.key(role)):
            raise ClusterError(
                f"--keys {self.folder}: ca.pem, {role}.pem and {role}.key are not of one cluster; copy all three anew"
            )


def _read_certificate(path: Path) -> "x509.Certificate":
    from cryptography import x509

    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except ValueError:
        raise ClusterError(f"{path}: is no certificate; copy it anew") from None


def _fit(authority: "x509.Certificate", certificate: "x509.Certificate", key: Path) -> bool:
    """Did the authority sign the certificate, and is the key the certificate's?"""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        certificate.verify_directly_issued_by(authority)
        return bool(load_pem_private_key(key.read_bytes(), None).public_key() == certificate.public_key())
    except (ValueError, TypeError, InvalidSignature):
        return False


def make(folder: Path) -> list[Path]:
    """Make all keys in a folder, which is new or has none of them. Raises ClusterError and OSError."""
    keys = KeyFolder(folder)
    roles = ("server", "client")
    paths = [
        keys.authority,
        folder / "ca.key",
        *(place(role) for role in roles for place in (keys.certificate, keys.key)),
    ]
    for path in paths:
        if path.exists():
            raise ClusterError(f"{path}: exists already; name a new folder, for machines know each other by these keys")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    authority_key = _new_key()
    authority = _certificate("Callanish Arena cluster", authority_key, authority_key, None)
    written = [(keys.authority, _pem(authority)), (folder / "ca.key", _key_pem(authority_key))]
    for role in roles:
        key = _new_key()
        certificate = _certificate(f"Callanish Arena {role}", key, authority_key, authority, role)
        written += [(keys.certificate(role), _pem(certificate)), (keys.key(role), _key_pem(key))]
    try:
        for path, content in written:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with naming(path), open(fd, "wb") as file:
                file.write(content)
    except OSError:  # half of the keys would keep the next attempt from making all
        for path, _ in written:
            path.unlink(missing_ok=True)
        raise
    return [path for path, _ in written]


def _new_key() -> "EllipticCurvePrivateKey":
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _certificate(
    name: str,
    key: "EllipticCurvePrivateKey",
    signer: "EllipticCurvePrivateKey",
    issuer: "x509.Certificate | None",
    role: str = "",
) -> "x509.Certificate":
    """A certificate of the key; without an issuer it is that of an authority."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEFORE)
        .not_valid_after(now + VALID)
        .add_extension(
            x509.BasicConstraints(ca=issuer is None, path_length=0 if issuer is None else None), critical=True
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )
    if issuer is not None:
        # A machine serves and asks others; an arena only asks. So its key cannot stand in for a machine.
        uses = [ExtendedKeyUsageOID.CLIENT_AUTH]
        if role == "server":
            uses.append(ExtendedKeyUsageOID.SERVER_AUTH)
        builder = builder.add_extension(x509.ExtendedKeyUsage(uses), critical=False)
    return builder.sign(signer, hashes.SHA256())


def _pem(certificate: "x509.Certificate") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding

    pem: bytes = certificate.public_bytes(Encoding.PEM)
    return pem


def _key_pem(key: "EllipticCurvePrivateKey") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    pem: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return pem
