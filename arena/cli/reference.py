"""The tables of the documents that the program makes of itself: commands, options, exit codes, checks."""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

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
    """The section of a command: its help."""
    command = commands()[name]
    help = whole_help(command, _context(command, name), short=True).rstrip()
    return f"### arena {name}\n\n```text\n{help}\n```"


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
    from arena.config import schema, settings

    of_all = () if name == "TournamentTable" else (*settings.LIMIT_KINDS, "margin")
    rows = []
    for key, field in getattr(schema, name).model_fields.items():
        about = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        plain = "none" if field.default is None else f"`{json.dumps(field.default, default=str)}`"
        shown = "required" if field.is_required() else str(about.get("shown") or plain)
        shown = "that of `[tournament]`" if key in of_all else shown
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


@cache
def _sections() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("json_keys.toml").read_text(encoding="utf-8"))


def json_keys(section: str) -> Iterator[tuple[str, str, str]]:
    """The keys of JSON in this section of the page, each with its type and meaning."""
    rows = _sections()[section]
    if "with" in rows:
        yield from json_keys(rows["with"])
    for keys, about in rows.items():
        if keys not in ("about", "with"):
            kind, _, meanings = about.partition(": ")
            first, *further = keys.split(", ")
            within = first[: first.rfind(".") + 1]
            names = [first, *(within + name for name in further)]
            for name, meaning in zip(names, meanings.split("; ") if further else [meanings], strict=True):
                yield name, kind, meaning


def _json() -> str:
    def linked(name: re.Match[str]) -> str:
        return f"[{re.sub('^An? ', '', name[1])}](#{name[1].lower().replace(' ', '-')})"

    parts = []
    for section, texts in _sections().items():
        parts.append(f"## `{section}`" if section.startswith("arena ") else f"## {section}")
        parts += [texts["about"]] if "about" in texts else []
        rows = [(f"`{name}`", re.sub(r"{(.+?)}", linked, kind), about) for name, kind, about in json_keys(section)]
        parts += [table(("key", "type", "meaning"), rows)] if rows else []
    return "\n\n".join(parts)


TABLES: dict[str, Callable[..., str]] = {
    "commands": _commands,
    "command": _command,
    "panel": _panel_options,
    "keys": _keys,
    "codes": _exit_codes,
    "checks": _checks,
    "profiles": _profiles,
    "json": _json,
}
"""Each table by the word of its mark."""
