"""`arena init`: a tournament file to start from."""

from pathlib import Path
from typing import Annotated

from arena.cli import output
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument
from arena.whole_file import check_target, write_whole


def init(
    file: Annotated[Path, argument("The file to write. It must not exist yet.", "FILE.toml")] = Path("tournament.toml"),
) -> None:
    """Write a tournament file that can be played as it is. It has every key, most of them in comments."""
    if file.exists():
        raise BadInput(f"{file} exists already: name another file")
    from arena.config.template import template

    check_target(file, "FILE.toml")
    write_whole(file, template())
    output.echo_sentence(f"{file}: change it, then play it with 'arena tournament {file}'")
