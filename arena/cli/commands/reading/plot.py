"""`arena plot`: ratings, their history and the sides as pictures in files."""

from pathlib import Path
from typing import Annotated

from arena.cli import db_options, output
from arena.cli.db_options import Anchor, AsJson, Clock, Database, RunId, Variant
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option

_PICTURES = "ratings, history, sides"


def plot(
    # A string, because the help has room for the name of this argument and not for a list of choices behind it.
    picture: Annotated[str, argument(f"One of {_PICTURES}.", "PICTURE")],
    db: Database,
    variant: Variant = None,
    run: RunId = None,
    tc: Clock = None,
    anchor: Anchor = None,
    svg: Annotated[Path | None, option("Write an SVG picture; - is stdout.", "FILE")] = None,
    html: Annotated[Path | None, option("Write an HTML page with the picture and its figures.", "FILE")] = None,
    as_json: AsJson = False,
) -> None:
    """Draw ratings, their history, or what playing p1 in each variant is worth, into a file."""
    from results.plots.draw import Subject, draw

    try:
        subject = Subject(picture)
    except ValueError:
        raise BadInput(f"there is no picture {picture!r}; name one of {_PICTURES}") from None
    files = {flag: path for flag, path in (("--svg", svg), ("--html", html)) if path is not None}
    if not files and not as_json:
        raise BadInput("name the file to draw into: --svg FILE or --html FILE; --json prints the figures")
    output.check_files(files, as_json)
    if len({path.resolve() for path in files.values()}) < len(files):
        raise BadInput(f"--svg and --html both name {str(svg)!r}; name two files")
    with db_options.opened_games(db, run=run, variant=variant, tc=tc) as (store, which, _):
        drawn = draw(subject, store, which, anchor)
    for flag, path in files.items():
        output.write_file(path, drawn.svg if flag == "--svg" else drawn.html)
    if as_json:
        output.echo_json(drawn.values)
