"""`arena doctor`: which parts of containment work on this machine. It tries each of them."""

import json
from typing import Annotated

import typer


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False) -> None:
    """Show what each level of containment can do on this machine, and what to install for more."""
    from rich.table import Table

    from arena.cli.output import console, echo
    from protocol.containment.policy import Level
    from protocol.containment.probe import probe

    levels = {level: probe(level) for level in (Level.BASIC, Level.STRICT)}
    if as_json:
        values = {level.value: [part._asdict() for part in parts] for level, parts in levels.items()}
        echo(json.dumps(values))
        return
    table = Table("an engine is kept from", "basic", "strict", box=None, pad_edge=False)
    basic = {part.name: part for part in levels[Level.BASIC]}
    for part in levels[Level.STRICT]:
        in_basic = basic.get(part.name)
        text = part.detail.removeprefix("keeps an engine from ") if part.works else part.name
        table.add_row(text, "-" if in_basic is None else _yes_or_no(in_basic.works), _yes_or_no(part.works))
    out = console()
    out.print(table)
    remedies = dict.fromkeys(part.remedy for parts in levels.values() for part in parts if not part.works)
    for remedy in remedies:
        out.print(f"missing: {remedy}", markup=False)
    out.print("\nThe level `none` restricts nothing. docs/CONTAINMENT.md explains each part.")


def _yes_or_no(works: bool) -> str:
    return "[green]yes[/green]" if works else "[red]no[/red]"
