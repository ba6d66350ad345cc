"""The clauses of SPEC.md by their numbers, for reports that quote them."""

import re
from functools import lru_cache
from importlib import resources

_LONGEST = 320


@lru_cache
def specification() -> str:
    """The text of SPEC.md."""
    return (resources.files("protocol") / "SPEC.md").read_text(encoding="utf-8")


@lru_cache
def numbered() -> dict[str, str]:
    """The text of each clause, up to the next one, by its number."""
    parts = re.split(r'<a id="([^"]+)"></a>\*\*[^*]+\*\* ', specification())
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@lru_cache
def version() -> str:
    """The version of the specification, such as `1.1`."""
    number = re.search(r"\*\*Version (\d+\.\d+)\*\*", specification())
    assert number is not None, "SPEC.md names no version"
    return number[1]


def quote(number: str) -> str:
    """The first paragraph of a clause as plain text. A long one is cut after a sentence."""
    paragraph = " ".join(re.split(r"\n\s*\n", numbered()[number])[0].split())
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", paragraph).replace("**", "")
    if len(plain) <= _LONGEST:
        return plain
    cut = plain[:_LONGEST].rfind(". ")
    return plain[: cut + 1] if cut > 0 else f"{plain[:_LONGEST]}..."
