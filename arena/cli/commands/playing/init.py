"""`arena init`: a tournament file to start from."""

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

from arena.cli import options, output
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option
from arena.whole_file import check_target, write_whole


def init(
    words: Annotated[
        list[str] | None,
        argument(
            "A format, such as swiss, or a contest (tablut or tafl-open); its engines, named as in `arena match`; the "
            "file to write, which must not exist yet. [default: round-robin random greedy tournament.toml]",
            "[FORMAT] [ENGINE...] [FILE.toml]",
        ),
    ] = None,
    *,
    engines: options.Engines = None,
    to: Annotated[
        Path | None, option("The file to write, if its name does not end with .toml.", "FILE", flag="--output")
    ] = None,
) -> None:
    """Write a tournament file that can be played as it is. It has every key, most of them in comments."""
    from arena.config.load import load_registry
    from arena.config.template import CONTESTS, contest_template, template
    from arena.formats.registry import FORMATS

    files = [Path(word) for word in words or () if word.endswith(".toml")] + ([] if to is None else [to])
    others = [word for word in words or () if not word.endswith(".toml")]
    if len(files) > 1:
        raise BadInput(f"{files[1]}: there are two files to write: name one")
    file = files[0] if files else Path("tournament.toml")
    if file.exists():
        raise BadInput(f"{file} exists already: name another file")
    known = [*FORMATS, *CONTESTS]
    if others and others[0] not in known:
        near = get_close_matches(others[0], known, 1)
        more = f"; did you mean {near[0]}?" if near else ""
        if others[0] == "ladder":
            more = "; a ladder plays any tournament file: `arena init FILE.toml`, then `arena ladder FILE.toml`"
        raise BadInput(f"{others[0]!r} is no format: begin with one of {', '.join(known)}{more}")
    check_target(file, "FILE.toml")
    if others and others[0] in CONTESTS:
        text = contest_template(others[0])
    else:
        registry = load_registry(engines)
        text = template(others[0] if others else "round-robin", others[1:] or ("random", "greedy"), registry)
    write_whole(file, text)
    output.echo_sentence(f"{file}: change it, then play it with 'arena tournament {file}'")
