"""`arena doctor`: what this machine gives, found by trying."""

import json
from typing import Annotated

import typer


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False) -> None:
    """Show what each level of containment can do on this machine, and what to install."""
    from rich.table import Table

    from arena.cli.output import console
    from protocol.containment.policy import Level
    from protocol.containment.probe import probe

    found = {level: probe(level) for level in (Level.BASIC, Level.STRICT)}
    if as_json:
        values = {level.value: [part._asdict() for part in parts] for level, parts in found.items()}
        typer.echo(json.dumps(values))
        return
    table = Table("an engine is kept from", "basic", "strict", box=None, pad_edge=False)
    basic = {part.name: part for part in found[Level.BASIC]}
    for part in found[Level.STRICT]:
        weak = basic.get(part.name)
        text = part.detail.removeprefix("keeps an engine from ") if part.works else part.name
        table.add_row(text, "-" if weak is None else _word(weak.works), _word(part.works))
    out = console()
    out.print(table)
    remedies = dict.fromkeys(part.remedy for parts in found.values() for part in parts if not part.works)
    for remedy in remedies:
        out.print(f"missing: {remedy}", markup=False)
    out.print("\nThe level `none` keeps an engine from nothing. docs/CONTAINMENT.md says how each part works.")


def _word(works: bool) -> str:
    return "[green]yes[/green]" if works else "[red]no[/red]"
