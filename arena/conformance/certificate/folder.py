"""The files of a certificate, by their names in its folder. Writes nothing itself."""

import json
from collections.abc import Mapping

from arena.conformance import report
from arena.conformance.certificate import badge, page
from arena.conformance.certificate.certificate import Certificate, as_values, publishable
from arena.conformance.check import Finding

REPLAY = "replay"
"""The folder of the scripts within that of the certificate."""


def files(certificate: Certificate, scripts: Mapping[Finding, str]) -> dict[str, str]:
    """The text of each file. `scripts` has the script of each finding that can be replayed."""
    texts = {
        "certificate.json": json.dumps(as_values(certificate), indent=1) + "\n",
        "certificate.html": page.page(certificate, scripts),
        "badge.svg": badge.badge(certificate),
        "junit.xml": report.as_junit(certificate.engine, certificate.findings),
    }
    texts |= {f"{REPLAY}/{page.script_name(one)}": text for one, text in scripts.items() if text}
    return {name: publishable(text) for name, text in texts.items()}
