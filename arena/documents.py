"""The documents that come with the arena: in an installation beside this module, in a checkout at their places."""

import re
from pathlib import Path

import arena
import protocol

_INSTALLED = Path(arena.__file__ or "").parent / "docs"
_CHECKOUT = _INSTALLED.parents[1]
_SPEC = Path(protocol.__file__ or "").parent / "SPEC.md"
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


def documents() -> dict[str, Path]:
    """Each document by the name that `arena docs` knows, such as QUICKSTART, in the order of the alphabet."""
    if _INSTALLED.is_dir():
        found = {page.stem: page for page in _INSTALLED.glob("*.md")}
    else:
        found = {page.stem: page for page in (_CHECKOUT / "docs").glob("*.md")}
        found |= {name: _CHECKOUT / f"{name}.md" for name in ("README", "CHANGELOG")}
        found["BENCHMARKS"] = _CHECKOUT / "benchmarks" / "RESULTS.md"
    found["SPEC"] = _SPEC
    return {name: found[name] for name in sorted(found)}


def title(page: Path) -> str:
    """The heading of a document."""
    heading = _HEADING.search(page.read_text(encoding="utf-8"))
    return heading[1] if heading else page.stem
