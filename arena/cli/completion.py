"""What a shell is offered after TAB: engines, variants, databases, documents, by what an option or argument is called.

It is loaded only when a shell asks. It reads the registries without checking them, since a shell waits for the answer.
What is wrong in them is told by the commands.
"""

import os
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

import typer
from typer.models import ParameterInfo

Completer = Callable[[str], list[str]]


def complete_parameters(app: typer.Typer) -> None:
    """Give each option and argument of the commands what completes it."""
    for command in app.registered_commands:
        if command.callback is None:
            continue
        for name, hint in get_type_hints(command.callback, include_extras=True).items():
            for info in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
                if isinstance(info, ParameterInfo):
                    keys = (f"{command.callback.__name__} {name}", info.metavar, name)
                    info.autocompletion = next((_COMPLETERS[key] for key in keys if key in _COMPLETERS), None)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            complete_parameters(group.typer_instance)


def engines(begun: str) -> list[str]:
    """Registered engines: the shipped ones and the user's own."""
    import platformdirs

    shipped = Path(__file__).parents[2] / "engines" / "engines.toml"
    own = Path(platformdirs.user_config_dir("callanish-arena")) / "engines.toml"
    names = {name for file in (shipped, own) for name in _names(file)}
    return _starting(begun, sorted(names))


def _names(registry: Path) -> list[str]:
    try:
        tables = tomllib.loads(registry.read_text(encoding="utf-8")).get("engines", [])
        return [str(table["name"]) for table in tables]
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return []


def variants(begun: str) -> list[str]:
    """All variants by their names."""
    from arena.games.variants import names

    return _starting(begun, names())


def languages(begun: str) -> list[str]:
    """What `arena new` can write an engine in."""
    from arena.kit.write import LANGUAGES

    return _starting(begun, LANGUAGES)


def documents(begun: str) -> list[str]:
    """What `arena docs` prints; it takes small letters too."""
    from arena.cli import documents

    return _starting(begun, (name.lower() if begun.islower() else name for name in documents.documents()))


def files(ending: str) -> Completer:
    """Files with this ending. Where there is none, the shell completes files and folders in its own way."""

    def find(begun: str) -> list[str]:
        folder, start = os.path.split(begun)
        try:
            with os.scandir(os.path.expanduser(folder) or ".") as entries:
                names = sorted(entry.name for entry in entries if entry.name.endswith(ending))
        except OSError:
            return []
        return [os.path.join(folder, name) for name in _starting(start, names)]

    return find


def _starting(begun: str, words: Iterable[str]) -> list[str]:
    return [word for word in words if word.startswith(begun)]


_COMPLETERS: Mapping[str | None, Completer] = {
    "docs words": documents,
    "new language": languages,
    "variants name": variants,
    "remove name": engines,
    "A": engines,
    "B": engines,
    "ENGINE": engines,
    "engine": engines,
    "opponent": engines,
    "anchor": engines,
    "winner": engines,
    "VARIANT": variants,
    "variants": variants,
    "variant": variants,
    "DB": files(".db"),
    "DB...": files(".db"),
    "db": files(".db"),
    "into": files(".db"),
    "FILE.toml": files(".toml"),
    "engines": files(".toml"),
    "registry": files(".toml"),
    "own": files(".toml"),
    "FILE.jsonl": files(".jsonl"),
}
"""By a command and its parameter, else by the parameter's metavar, else by its name."""
