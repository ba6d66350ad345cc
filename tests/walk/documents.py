"""What the documents for newcomers tell a reader to save and to type."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
QUICKSTART = (ROOT / "docs" / "authors" / "QUICKSTART.md").read_text(encoding="utf-8")
COMING = (ROOT / "docs" / "organisers" / "COMING.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE_NAME = re.compile(r"^(?:# |/\* )([\w.]+\.\w+)")
_OF_OTHERS = ("fastchess ",)
"""Commands of other programs, which a page compares with ours."""


@dataclass(frozen=True)
class Step:
    """A file to save, or a command to type."""

    file: str
    """Empty for a command."""
    text: str


def steps(page: str) -> list[Step]:
    """The files and commands of a page's blocks, in its order."""
    found = []
    for language, block in _BLOCK.findall(page):
        name = _FILE_NAME.match(block)
        if name:
            found.append(Step(name[1], block))
        elif language in ("", "sh", "console"):
            lines = block.replace("\\\n", " ").splitlines()
            if language == "console":
                lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
            commands = [re.sub(r"\s+# .*", "", line) for line in lines if line.strip()]
            found += [Step("", command) for command in commands if not command.startswith(_OF_OTHERS)]
    return found


def commands(page: str) -> list[str]:
    """The commands of a page's blocks."""
    return [step.text for step in steps(page) if not step.file]


def spans(page: str) -> list[str]:
    """The commands within the sentences and tables of a page, each once."""
    return sorted(set(re.findall(r"`((?:arena|make|source|pipx) [^`]+)`", _BLOCK.sub("", page))))
