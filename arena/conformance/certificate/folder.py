"""The files of a certificate, by their names in its folder. Writes nothing itself."""

import json

from arena.conformance import report
from arena.conformance.certificate import page
from arena.conformance.certificate.certificate import Certificate, as_values, publishable


def files(certificate: Certificate) -> dict[str, str]:
    """The text of each file."""
    texts = {
        "certificate.json": json.dumps(as_values(certificate), indent=1) + "\n",
        "certificate.html": page.page(certificate),
        "junit.xml": report.as_junit(certificate.engine, certificate.findings),
    }
    return {name: publishable(text) for name, text in texts.items()}
