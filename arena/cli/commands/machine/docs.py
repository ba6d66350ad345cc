"""`arena docs`: the documents, also where the arena was installed without its repository."""

import difflib
import re
import sys
from pathlib import Path
from typing import Annotated

from arena.cli import output, wrap
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option

_BEGINS = re.compile(r"\s*([-*] |\d+\. |\||#|>|<)")
"""A line that does not continue the paragraph above it."""
_TABLE_INDENT = 4
"""Blanks before the further lines of a table's row."""


def docs(
    name: Annotated[str | None, argument("A document, such as QUICKSTART. Without it, list all.", "[NAME]")] = None,
    path: Annotated[bool, option("Print where the file is, instead of its text.", flag="--path")] = False,
) -> None:
    """Print a document, or list all documents."""
    from arena.cli import documents

    pages = documents.documents()
    if name is None:
        indent = max(map(len, pages)) + 2
        for heading, group in documents.by_reader().items():
            output.echo(f"{heading}:")
            for each, page in group.items():
                about = page if path else documents.title(page)
                output.echo_sentence(f"{each:{indent}}{about}", indent)
        return
    # A link in a document is a name too: docs/authors/QUICKSTART.md.
    wanted = Path(name).name.upper().removesuffix(".MD")
    if wanted not in pages:
        near = difflib.get_close_matches(wanted, pages, 1)
        hint = f"did you mean {near[0]}?" if near else "`arena docs` lists all documents"
        raise BadInput(f"there is no document {name!r}; {hint}")
    if path:
        output.echo(str(pages[wanted]))
    else:
        text, width = pages[wanted].read_text(encoding="utf-8"), wrap.terminal_width(sys.stdout)
        output.echo_lines(text if width is None else reflowed(text, width), end="")


def reflowed(text: str, width: int) -> str:
    """A page for a terminal of this width: paragraphs and items of lists are broken anew, programs stay as they are."""
    lines: list[str] = []
    in_block = can_go_on = False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        in_block ^= fence
        if can_go_on and line.strip() and not in_block and not fence and not _BEGINS.match(line):
            lines[-1] += f" {line.strip()}"
            continue
        lines.append(line)
        can_go_on = bool(line.strip()) and not in_block and not fence and not line.startswith(("#", "|"))
    in_block = False
    shown = []
    for line in lines:
        in_block ^= line.lstrip().startswith("```")
        indent = _TABLE_INDENT if line.startswith("|") else None
        shown += [line] if in_block else wrap.hanging(line, width, indent)
    return "".join(f"{line}\n" for line in shown)
