"""`arena docs`: the documents, also where the arena was installed without its repository."""

import json
import re
import sys
from pathlib import Path
from typing import Annotated

from arena.cli import output
from arena.cli.db_options import AsJson
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option

_FENCED = re.compile(r"^(```.*?^```)$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\)|<a id=[^>]*></a>")
_MOST = 10
"""A search shows at most this many parts of documents."""


def docs(
    words: Annotated[
        list[str] | None,
        argument("A document (SPEC), its section (SPEC:20), words in it, or words in all.", "[NAME|WORDS]..."),
    ] = None,
    path: Annotated[bool, option("Print where the file is, instead of its text.", flag="--path")] = False,
    output_: Annotated[
        Path | None, option("Write all documents as Markdown files into this folder.", "DIR", flag="--output")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print a document, find words in all documents, or list them."""
    from arena.cli import documents

    pages = documents.documents()
    if output_ is not None:
        if as_json:
            raise BadInput("--output writes files and --json prints: give one of them")
        output.echo(f"{documents.write(output_)} documents are in {output_}")
        return
    if not words and as_json:
        output.echo(json.dumps([_about(each) for each in pages]))
        return
    if not words:
        indent = max(map(len, pages)) + 2
        for heading, group in documents.by_reader().items():
            output.echo(f"{heading}:")
            for each, page in group.items():
                about = page if path else documents.title(page)
                output.echo_sentence(f"{each:{indent}}{about}", indent)
        return
    # A link in a document is a name too: docs/authors/QUICKSTART.md.
    name, _, line = Path(words[0]).name.upper().partition(":")
    name = name.removesuffix(".MD")
    if len(words) > 1 and words[0] in pages:
        _tell_hits(words[1:], [words[0]], as_json)
    elif len(words) > 1 or name not in pages or not f"0{line}".isdecimal():
        _tell_hits(words, list(pages), as_json)
    elif path:
        output.echo(str(pages[name]))
    else:
        text = documents.section(name, int(line)) if line else documents.text(name)
        if as_json:
            output.echo(json.dumps({**_about(name), "text": text}))
        elif sys.stdout.isatty():
            _print_nicely(text)
        else:
            output.echo_lines(text, end="")


def _about(name: str) -> dict[str, str]:
    """A document as JSON has it in the list of all."""
    from arena.cli import documents

    page = documents.documents()[name]
    return {"name": name, "title": documents.title(page), "path": str(page)}


def _tell_hits(words: list[str], within: list[str], as_json: bool) -> None:
    """Tell the parts of these documents with the most of the words. Raises BadInput if none has any."""
    import difflib

    from arena.cli import documents

    hits, missed = documents.find(words, within)
    if not hits:
        near = difflib.get_close_matches(words[0].upper(), within, 1) if len(words) == 1 else []
        hint = f"did you mean {near[0]}?" if near else "`arena docs` lists all documents"
        where = "document" if len(within) > 1 else f"part of {within[0]}"
        raise BadInput(f"no {where} has {' or '.join(map(repr, words))}; {hint}")
    if as_json:
        output.echo(json.dumps({"missed": missed, "hits": [hit._asdict() for hit in hits]}))
        return
    if missed:
        output.echo(f"no part of a document has all of {', '.join(missed)}; these have most of them:")
    for hit in hits[:_MOST]:
        output.echo(f"{hit.page}:{hit.number}  {hit.heading}")
        if hit.line != hit.heading:
            output.echo_sentence(f"    {hit.line}", 4)
    more = f"... and {len(hits) - _MOST} more: add a word, or read" if len(hits) > _MOST else "read"
    output.echo(f"{more} one by `arena docs {hits[0].page}:{hits[0].number}`")


def _print_nicely(text: str) -> None:
    """Print Markdown on a terminal, without the targets of links. Programs keep their lines: a reader copies them."""
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.text import Text

    console = Console()
    for part in _FENCED.split(text):
        if part.startswith("```"):
            console.print(Text(part.partition("\n")[2].removesuffix("```"), "cyan"), soft_wrap=True)
        else:
            console.print(Markdown(_LINK.sub(r"\1", part)))
