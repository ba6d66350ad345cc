"""The documents that come with the arena: in an installation beside the package, in a checkout at their places.

`arena.cli.reference` replaces a mark such as `<!-- command: match -->` in a page by a table that it makes of the
program, so a page cannot differ from what the program does.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import arena
import protocol

_INSTALLED = Path(arena.__file__ or "").parent / "docs"
_CHECKOUT = _INSTALLED.parents[1]
_SPEC = Path(protocol.__file__ or "").parent / "SPEC.md"
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_MARK = re.compile(r"^<!-- (\w+)(?:: (.+?))? -->$", re.MULTILINE)
_LINK = re.compile(r"\]\((?:[\w./-]*/)?([A-Z_]+\.md)")
_ELSEWHERE = re.compile(r"!?\[([^\]]*)\]\((?!https?://|#|[A-Z_]+\.md)[^)]+\)")
"""Links to a picture or to code, which are not among the documents."""
_READERS = {
    "organisers": "For organisers of tournaments",
    "authors": "For authors of engines",
    "reference": "Reference",
    "project": "The project",
}
"""The folders of documents, in the order of the list, with their headings."""


_LAST = ("COMING", "CHANGELOG", "BENCHMARKS")
"""What is found in these documents comes last: others say it in full."""


class Hit(NamedTuple):
    """A line of a document."""

    page: str
    heading: str
    columns: str
    """The head of the table that the line is in; empty if it is in none."""
    number: int
    line: str


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


@cache
def text(name: str) -> str:
    """A document with the tables that the program makes in the places of their marks."""

    def table(mark: re.Match[str]) -> str:
        from arena.cli import reference

        return "\n" + reference.TABLES[mark[1]](*([mark[2]] if mark[2] else ()))

    return _MARK.sub(table, documents()[name].read_text(encoding="utf-8"))


def title(page: Path) -> str:
    """The heading of a document."""
    heading = _HEADING.search(page.read_text(encoding="utf-8"))
    return heading[1] if heading else page.stem


def find(words: Sequence[str]) -> list[Hit]:
    """The lines that have all these words, in them and what they are under; the likeliest ones first."""
    wanted = [word.casefold() for word in words]

    def has(text: str) -> bool:
        return all(word in text.casefold() for word in wanted)

    ranked: list[tuple[int, Hit]] = []
    for hit in (hit for name in documents() for hit in _lines(name)):
        there = [word for word in wanted if word in hit.line.casefold()]
        if there and has(f"{hit.page} {hit.heading} {hit.columns} {hit.line}"):
            # Headings, then the options and keys of tables, then lines that have all the words alone.
            key = re.split(r" \| |  ", hit.line)[0] if hit.line.startswith(("| `", "--")) else ""
            is_key = any(word in key.casefold() for word in wanted)
            rank = 0 if hit.line == hit.heading else 1 if is_key else 2 if has(hit.line) else 3
            ranked.append((rank + 10 * (hit.page in _LAST), hit))
    hits_of = Counter(hit.page for _, hit in ranked)
    return [hit for _, hit in sorted(ranked, key=lambda each: (each[0], -hits_of[each[1].page]))]


def _lines(name: str) -> Iterator[Hit]:
    """Each line of a document, under its heading and the head of its table. A heading is a line without its signs."""
    heading, columns, in_block = "", "", False
    for number, line in enumerate(text(name).splitlines(), 1):
        in_block ^= line.startswith("```")
        found = None if in_block else _HEADING.match(line)
        heading = found[1] if found else heading
        columns = "" if not line.startswith("|") else columns or line
        yield Hit(name, heading, columns, number, found[1] if found else line.strip())


def write(folder: Path) -> int:
    """Write all documents as Markdown files into one folder, with links between them. How many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in documents():
        page = text(name).replace("benchmarks/RESULTS.md", "BENCHMARKS.md")
        (folder / f"{name}.md").write_text(_ELSEWHERE.sub(r"\1", _LINK.sub(r"](\1", page)), encoding="utf-8")
    return len(documents())
