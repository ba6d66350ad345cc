"""What a shell is offered after TAB beside commands and options: engines, variants, documents, databases.

It is loaded only when a shell asks. It reads the registries without checking them, since a shell waits for the answer.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

import typer
from typer.models import ParameterInfo


def complete_parameters(app: typer.Typer) -> None:
    """Give each option and argument of the commands what completes it."""
    for command in app.registered_commands:
        for name, hint in get_type_hints(command.callback, include_extras=True).items():
            for info in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
                if isinstance(info, ParameterInfo):
                    names = next((_WORDS[key] for key in (info.metavar, name) if key in _WORDS), None)
                    info.autocompletion = None if names is None else _starting(names)


def _starting(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    def complete(begun: str) -> list[str]:
        return [name for name in names() if name.startswith(begun)]

    return complete


def _engines() -> list[str]:
    """Registered engines: the shipped ones and the user's own."""
    import platformdirs

    names = set()
    for folder in (Path(__file__).parents[2] / "engines", Path(platformdirs.user_config_dir("callanish-arena"))):
        try:
            tables = tomllib.loads((folder / "engines.toml").read_text(encoding="utf-8"))["engines"]
            names |= {str(table["name"]) for table in tables}
        except (OSError, ValueError, TypeError, KeyError):
            continue
    return sorted(names)


def _variants() -> Iterable[str]:
    from arena.games.variants import names

    return names()


def _documents() -> list[str]:
    from arena.cli import documents

    return [*documents.documents(), *map(str.lower, documents.documents())]


def _databases() -> list[str]:
    """Those of this folder. A shell completes files of others in its own way."""
    return sorted(str(path) for path in Path().glob("*.db"))


_WORDS: Mapping[str | None, Callable[[], Iterable[str]]] = {
    **dict.fromkeys(("A", "B", "ENGINE", "engine", "opponent", "anchor", "winner"), _engines),
    **dict.fromkeys(("VARIANT", "[NAME]", "variants", "variant"), _variants),
    **dict.fromkeys(("DB", "DB...", "db", "into"), _databases),
    "[NAME|WORDS]...": _documents,
}
"""By the metavar of a parameter, else by its name."""
