"""`arena new`: writes an engine that is conformant as it stands, for its author to change."""

from pathlib import Path
from typing import Annotated

from arena.cli import output
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option


def new(
    name: Annotated[str, argument("What the engine is called. A folder of this name is made here.", "NAME")],
    language: Annotated[str, option("python, c, javascript, java or rust.", "LANGUAGE")] = "python",
) -> None:
    """Write an engine of your own: it plays Callanish and passes all checks. You change how it plays."""
    from arena.kit import write

    if Path(name).name != name:
        raise BadInput(f"{name!r} is a path: go to the folder that should have the engine, and give a name only")
    try:
        kit = write.find_language(language)
        commands = write.write_kit(Path(name), kit)
    except write.KitRefused as refusal:
        raise BadInput(str(refusal)) from None
    output.echo_sentence(f"{name}/ has an engine in {kit.name}: {', '.join(kit.files)} and README.md. Next:")
    for command in commands:
        output.echo(f"  {command}")
