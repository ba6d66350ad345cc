"""Certificates of a server for tests, made when they are needed, with an authority of their own."""

import ipaddress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cryptography import x509


class Certificates(NamedTuple):
    """The files of a server, and of the authority that a client is to trust."""

    certificate: Path
    key: Path
    authority: Path


def make_certificates(folder: Path, *names: str, days: float = 1) -> Certificates:
    """A certificate for these addresses and names in `folder`, valid for so many days from an hour ago."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    begin = datetime.now(UTC) - timedelta(hours=1)
    subjects = [
        x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]) for name in ("authority of a test", names[0])
    ]
    made = []
    for number, (key, subject) in enumerate(zip(keys, subjects, strict=True)):
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subjects[0])
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(begin)
            .not_valid_after(begin + timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=number == 0, path_length=None), critical=True)
            # Python 3.13 wants to be told which key signed, and that it may.
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(keys[0].public_key()), critical=False)
        )
        if not number:
            builder = builder.add_extension(_signs(), critical=True)
        if number:
            alternatives = [_name(name) for name in names]
            builder = builder.add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        made.append(builder.sign(keys[0], hashes.SHA256()).public_bytes(Encoding.PEM))
    files = Certificates(folder / "server.pem", folder / "server.key", folder / "authority.pem")
    files.authority.write_bytes(made[0])
    files.certificate.write_bytes(made[1])
    files.key.touch(0o600)
    files.key.write_bytes(keys[1].private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


def _signs() -> "x509.KeyUsage":
    from cryptography import x509

    usage = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    return x509.KeyUsage(
        **dict.fromkeys(usage, False), key_cert_sign=True, crl_sign=False, encipher_only=False, decipher_only=False
    )


def _name(name: str) -> "x509.GeneralName":
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
