"""The tables of the documents that the program makes of itself: commands, options, exit codes, checks, licences."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from arena.cli.examples import EXAMPLES
from arena.cli.help import argument_word, option_row, whole_help

# Any: typer has its own copy of click, whose classes are not public.


@cache
def commands() -> dict[str, Any]:
    """Every command by its whole name, such as `engines add`."""
    from arena.cli.app import every_command

    return dict(_leaves(every_command()))


def _leaves(group: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.items():
        if hasattr(command, "commands"):
            yield from _leaves(command.commands, f"{path}{name} ")
        else:
            yield path + name, command


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    names = list(head)
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def _commands() -> str:
    rows = []
    for name, command in commands().items():
        arguments = " ".join(argument_word(each) for each in command.params if each.param_type_name == "argument")
        anchor = f"arena-{name.replace(' ', '-')}"
        what = re.split(r"(?<=\.)\s", command.help, maxsplit=1)[0]
        rows.append((f"[`{f'arena {name} {arguments}'.strip()}`](#{anchor})", what))
    return table(("command", "what it does"), rows)


def _context(command: Any, name: str) -> Any:
    return command.context_class(command, info_name=f"arena {name}", terminal_width=80, max_content_width=80)


def _command(name: str) -> str:
    """The section of a command: its help, and more examples."""
    command = commands()[name]
    help = whole_help(command, _context(command, name), short=True).rstrip()
    more = "".join(f"\n\n```\n{example}\n```" for example in EXAMPLES[name][1:])
    return f"### arena {name}\n\n```text\n{help}\n```{more}"


def _panel_options(panel: str) -> str:
    """The options of this panel of any command; a help that differs counts once, the first."""
    rows: dict[str, tuple[str, str]] = {}
    for name, command in commands().items():
        ctx = _context(command, name)
        for each in command.params:
            if getattr(each, "rich_help_panel", None) == panel:
                rows.setdefault(each.opts[0], option_row(each, ctx))
    out = ctx.make_formatter()
    out.write_dl([*rows.values()], col_max=24)
    return f"```text\n{out.getvalue()}```"


def _keys(name: str) -> str:
    """The keys of a table of tournament files."""
    from arena.config import schema

    rows = []
    for key, field in getattr(schema, name).model_fields.items():
        about = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        default = "none" if field.default is None else f"`{json.dumps(field.default)}`"
        shown = str(about.get("shown") or default)
        rows.append((f"`{key}`", shown, field.description or ""))
    return table(("key", "default", "meaning"), rows)


def _exit_codes() -> str:
    from arena.cli.errors import EXIT_CODES

    return table(("exit code", "meaning"), ((str(code), meaning) for code, meaning in EXIT_CODES.items()))


def _checks() -> str:
    from arena.conformance.catalogue import CHECKS, GROUPS

    parts = []
    for letter, title in GROUPS.items():
        its = [check for check in CHECKS if check.id[0] == letter]
        rows = (
            (
                check.id,
                check.severity,
                f"[{check.clause}](../../protocol/SPEC.md#{check.clause})",
                check.title + (" (each variant)" if check.each_variant else "") + (" (smoke)" if check.smoke else ""),
            )
            for check in its
        )
        parts.append(f"### {letter}. {title}\n\n{table(('check', '', 'clause', 'what holds'), rows)}")
    return "\n\n".join(parts)


def _profiles() -> str:
    from arena.conformance.catalogue import PROFILES

    rows = ((f"`{name}`", check, why) for name, left_out in PROFILES.items() for check, why in left_out.items())
    return table(("profile", "check", "why it is skipped"), rows)


def _licences() -> str:
    rows = ((name, _licence(name)) for name in sorted(set(_needed("callanish-arena", ("web",))), key=str.lower))
    return table(("package", "licence"), rows)


def _needed(name: str, extras: tuple[str, ...] = (), known: frozenset[str] = frozenset()) -> Iterator[str]:
    """The packages that a package requires on this system, and what these require, once or more."""
    from importlib.metadata import PackageNotFoundError, distribution, metadata

    try:
        wanted = distribution(name).requires or ()
    except PackageNotFoundError:  # of an extra that is not installed
        return
    for line in wanted:
        requirement, _, marker = line.partition(";")
        extra = re.search(r"extra == ['\"](\w+)['\"]", marker)
        package = re.match(r"[\w.-]+", requirement)
        if package and package[0] not in known and (extra is None or extra[1] in extras):
            if _licence(package[0]):
                yield str(metadata(package[0])["Name"])
            chosen = re.search(r"\[(.*)\]", requirement)
            yield from _needed(package[0], tuple(chosen[1].split(",")) if chosen else (), known | {package[0]})


def _licence(name: str) -> str:
    """What the metadata says: an expression, a short name, or a classifier; empty if it is not installed."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        about = metadata(name)
    except PackageNotFoundError:
        return ""
    classes = [each.split(" :: ")[-1] for each in about.get_all("Classifier", []) if each.startswith("License ::")]
    said = [*about.get_all("License-Expression", []), *about.get_all("License", []), " and ".join(classes)]
    return next((str(each).splitlines()[0] for each in said if each), "")


TABLES: dict[str, Callable[..., str]] = {
    "commands": _commands,
    "command": _command,
    "panel": _panel_options,
    "keys": _keys,
    "codes": _exit_codes,
    "checks": _checks,
    "profiles": _profiles,
    "licences": _licences,
}
"""Each table by the word of its mark."""
