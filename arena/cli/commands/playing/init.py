"""`arena init`: a tournament file to start from."""

from pathlib import Path
from typing import Annotated

from arena.cli import output
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option
from arena.whole_file import check_target, write_whole


def init(
    file: Annotated[Path, argument("The file to write. It must not exist yet.", "FILE.toml")] = Path("tournament.toml"),
    *,
    contest: Annotated[
        str | None, option("The file of a contest with groups and a knockout: tablut or tafl-open.", "NAME")
    ] = None,
) -> None:
    """Write a tournament file that can be played as it is. It has every key, most of them in comments."""
    if file.exists():
        raise BadInput(f"{file} exists already: name another file")
    from arena.config.template import CONTESTS, contest_template, template

    if contest is not None and contest not in CONTESTS:
        raise BadInput(f"--contest {contest!r}: there is no such contest: choose from {', '.join(CONTESTS)}")
    check_target(file, "FILE.toml")
    write_whole(file, template() if contest is None else contest_template(contest))
    output.echo_sentence(f"{file}: change it, then play it with 'arena tournament {file}'")
