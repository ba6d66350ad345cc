"""The badge of a certificate: a small SVG picture with the grade, for the page of an engine.

It has no script, no style and no link, so every page may show it. The grade stands there in words.
"""

from arena.conformance.certificate.certificate import Certificate
from arena.conformance.check import Grade
from results.safe_text import xml

_COLOURS = {Grade.CLEAN: "#1a7f37", Grade.CONFORMANT: "#1a7f37", Grade.PLAYABLE: "#9a6700"}
_BROKEN, _PARTIAL = "#b42318", "#57606a"
_SIGN, _PAD, _HEIGHT = 6.6, 8, 20
"""The width of a character of the font, and the room beside a text, in pixels."""
_LONGEST = 40


def words(certificate: Certificate) -> tuple[str, str]:
    """What stands left and right on the badge. A part of the checks never says that an engine conforms."""
    left = f"Callanish protocol {certificate.specification.version}"
    if certificate.complete:
        return left, certificate.grade
    checked = len({finding.id for finding in certificate.findings} - set(certificate.left_out))
    of = checked + len(certificate.left_out)
    number = f"{checked} of {of} checks" if certificate.left_out else "longer deadlines"
    return left, f"{certificate.grade}, {number}"


def badge(certificate: Certificate) -> str:
    """The badge as an SVG document."""
    left, right = (text[:_LONGEST] for text in words(certificate))
    first, second = (round(len(text) * _SIGN + 2 * _PAD) for text in (left, right))
    passed = certificate.grade != Grade.NOT_PLAYABLE
    colour = _COLOURS.get(Grade(certificate.grade), _BROKEN) if certificate.complete or not passed else _PARTIAL
    title = xml(f"{certificate.name[:200]}: {left}, {right}, {certificate.date[:10]}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{first + second}" height="{_HEIGHT}" role="img">\n'
        f"<title>{title}</title>\n"
        f'<rect width="{first}" height="{_HEIGHT}" fill="#24292f"/>\n'
        f'<rect x="{first}" width="{second}" height="{_HEIGHT}" fill="{colour}"/>\n'
        '<g fill="#ffffff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle">\n'
        f'<text x="{first / 2:g}" y="14" textLength="{first - 2 * _PAD}">{xml(left)}</text>\n'
        f'<text x="{first + second / 2:g}" y="14" textLength="{second - 2 * _PAD}">{xml(right)}</text>\n'
        "</g>\n</svg>\n"
    )
