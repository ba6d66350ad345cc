"""The documents that come with the arena: in an installation beside the package, in a checkout at their places.

`arena.cli.reference` replaces a mark such as `<!-- command: match -->` in a page by a table that it makes of the
program, so a page cannot differ from what the program does.
"""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import arena
import protocol

_INSTALLED = Path(arena.__file__ or "").parent / "docs"
_CHECKOUT = _INSTALLED.parents[1]
_SPEC = Path(protocol.__file__ or "").parent / "SPEC.md"
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_BEGIN = re.compile(r"(?<!\w)")
_MARK = re.compile(r"^<!-- (\w+)(?:: (.+?))? -->$", re.MULTILINE)
_AS_FILE = re.compile(r"^`arena docs \w+` prints this page with its tables\.\n", re.MULTILINE)
"""What a page says of itself where nothing has replaced its marks."""
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


_FILLERS = frozenset(
    "a about after all an and any are as at be before bring by can could counted decided default do does for from get "
    "give had has have how i if in into is it its let make may me my of on or our out over should so some that the "
    "their them then there they this to up want was we what when where which who why will with would you your".split()
)
"""Words of a question that no search is for."""
_WEIGHTS = {
    **dict.fromkeys(("ADAPTERS", "HTP", "OTHER_PROTOCOLS", "TABLUT", "UCI"), 0.85),
    **dict.fromkeys(("SPEC", "EVENTS", "README", "ARCHITECTURE", "CONTRIBUTING"), 0.7),
    **dict.fromkeys(("COMING", "CHANGELOG", "BENCHMARKS", "JSON", "STUDIES"), 0.5),
}
"""What is found in these documents comes after what organisers and authors of engines read first."""


class Hit(NamedTuple):
    """A part of a document, with the line of it that has most of the words."""

    page: str
    heading: str
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

    return _MARK.sub(table, _AS_FILE.sub("", documents()[name].read_text(encoding="utf-8")))


def title(page: Path) -> str:
    """The heading of a document."""
    heading = _HEADING.search(page.read_text(encoding="utf-8"))
    return heading[1] if heading else page.stem


def section(name: str, number: int) -> str:
    """The part of a document that has the line of this number."""
    parts = [lines for _, lines in _parts(name)]
    own = next((part for part in reversed(parts) if part[0][0] <= number), parts[0])
    return "".join(text(name).splitlines(keepends=True)[own[0][0] - 1 : own[-1][0]])


def find(words: Sequence[str], within: Sequence[str]) -> tuple[list[Hit], list[str]]:
    """The parts of these documents with most of the words, the likeliest first; and the words, if no part has all."""
    given = " ".join(words).casefold().split()
    wanted = [word for word in given if word not in _FILLERS] or given
    patterns = [_pattern(word) for word in wanted]
    in_names = {
        name: [_likeness(pattern, name.replace("_", " ").casefold()) == 1 for pattern in patterns] for name in within
    }
    ranked: list[tuple[int, float, Hit]] = []
    for page, (heading, lines) in ((name, part) for name in within for part in _parts(name)):
        titles = [_likeness(pattern, heading.casefold()) for pattern in patterns]
        folded = [line.casefold() for _, line in lines]
        by_line = [[_likeness(pattern, line) for pattern in patterns] for line in folded]
        bodies = [max(column) for column in zip(*by_line, strict=True)]
        if any(bodies):
            # Options and keys of tables come before lines that speak of them, a short heading before a long one.
            scores = [
                sum(row) + any(_likeness(pattern, _key(line)) for pattern in patterns) / 2
                for row, line in zip(by_line, folded, strict=True)
            ]
            best = max(range(len(lines)), key=scores.__getitem__)
            named = sum(titles) * (1 + 1 / len(heading.split()))
            has = sum(any(each) for each in zip(titles, in_names[page], bodies, strict=True))
            score = (sum(bodies) + scores[best] + named + sum(in_names[page])) * _WEIGHTS.get(page, 1)
            ranked.append((has, score, Hit(page, heading, *lines[best])))
    most = max((has for has, _, _ in ranked), default=0)
    hits = [(score, hit) for has, score, hit in ranked if has == most]
    return [hit for _, hit in sorted(hits, key=lambda each: -each[0])], wanted if most < len(wanted) else []


def _key(line: str) -> str:
    """The option or key with which a line of a table begins."""
    return re.split(r" \| |  ", line)[0] if line.startswith(("| `", "--")) else ""


def _pattern(word: str) -> re.Pattern[str]:
    """Finds a word, also in the plural, and as a part of another one."""
    stem = re.escape(word.removesuffix("s") if len(word) > 3 else word)
    return re.compile(rf"{stem}(?P<end>e?s?(?!\w))?")


def _likeness(pattern: re.Pattern[str], text: str) -> float:
    """1 if the text, in small letters, has the word, less if it has it as the beginning of another one or within it."""
    if pattern.search(text) is None:
        return 0.0
    bounds = ((_BEGIN.match(text, each.start()), each["end"] is not None) for each in pattern.finditer(text))
    return max(1.0 if begins and ends else 0.6 if begins else 0.3 for begins, ends in bounds)


@cache
def _parts(name: str) -> list[tuple[str, list[tuple[int, str]]]]:
    """Each part of a document: its heading, and its lines with their numbers, the heading's without signs."""
    parts: list[tuple[str, list[tuple[int, str]]]] = []
    lines: list[tuple[int, str]] = []
    heading, in_block = name, False
    for number, line in enumerate(text(name).splitlines(), 1):
        in_block ^= line.startswith("```")
        match = None if in_block else _HEADING.match(line)
        # Each change is a part of its own: the list of all changes has any words.
        if lines and (match or (name == "CHANGELOG" and line.startswith("* "))):
            parts.append((heading, lines))
            lines = []
        heading = match[1] if match else heading
        lines.append((number, heading if match else line.strip()))
    return [*parts, (heading, lines)]


def write(folder: Path) -> int:
    """Write all documents as Markdown files into one folder, with links between them. How many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in documents():
        page = text(name).replace("benchmarks/RESULTS.md", "BENCHMARKS.md")
        (folder / f"{name}.md").write_text(_ELSEWHERE.sub(r"\1", _LINK.sub(r"](\1", page)), encoding="utf-8")
    return len(documents())
