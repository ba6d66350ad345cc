"""`arena docs`: the documents, also where the arena was installed without its repository."""

import difflib
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import output
from arena.cli.errors import BadInput


def docs(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A document, such as QUICKSTART. Without it, list all.")
    ] = None,
    path: Annotated[bool, typer.Option("--path", help="Print where the file is, instead of its text.")] = False,
) -> None:
    """Print a document, or list all documents."""
    from arena import documents

    pages = documents.documents()
    if name is None:
        output.echo_lines(output.table([(each, _about(page, path)) for each, page in pages.items()]), end="")
        return
    # A link in a document is a name too: docs/QUICKSTART.md.
    wanted = Path(name).name.upper().removesuffix(".MD")
    if wanted not in pages:
        near = difflib.get_close_matches(wanted, pages, 1)
        hint = f"did you mean {near[0]}?" if near else "`arena docs` lists all documents"
        raise BadInput(f"there is no document {name!r}; {hint}")
    if path:
        output.echo(str(pages[wanted]))
    else:
        output.echo_lines(pages[wanted].read_text(encoding="utf-8"), end="")


def _about(page: Path, path: bool) -> str:
    from arena import documents

    return str(page) if path else documents.title(page)
