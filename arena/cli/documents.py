"""The documents that come with the arena: in an installation beside the package, in a checkout at their places."""

import re
from pathlib import Path

import arena
import protocol

_INSTALLED = Path(arena.__file__ or "").parent / "docs"
_CHECKOUT = _INSTALLED.parents[1]
_SPEC = Path(protocol.__file__ or "").parent / "SPEC.md"
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
_READERS = {
    "organisers": "For organisers of tournaments",
    "authors": "For authors of engines",
    "reference": "Reference",
    "project": "The project",
}
"""The folders of documents, in the order of the list, with their headings."""


def by_reader() -> dict[str, dict[str, Path]]:
    """The documents under a heading for each kind of reader, each by its name, such as QUICKSTART."""
    folder = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT / "docs"
    pages = {reader: {page.stem: page for page in (folder / reader).glob("*.md")} for reader in _READERS}
    pages["authors"]["SPEC"] = _SPEC
    if folder != _INSTALLED:
        pages["project"] |= {name: _CHECKOUT / f"{name}.md" for name in ("README", "CHANGELOG")}
        pages["project"]["BENCHMARKS"] = _CHECKOUT / "benchmarks" / "RESULTS.md"
    return {heading: dict(sorted(pages[reader].items())) for reader, heading in _READERS.items()}


def documents() -> dict[str, Path]:
    """All documents by their names."""
    return {name: page for pages in by_reader().values() for name, page in pages.items()}


def title(page: Path) -> str:
    """The heading of a document."""
    heading = _HEADING.search(page.read_text(encoding="utf-8"))
    return heading[1] if heading else page.stem
