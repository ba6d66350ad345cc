"""`arena engines`: which engines are registered, what each says of itself, and changes to your own registry."""

import json
import shlex
from dataclasses import asdict
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.containment_options import Contain
from arena.planning.containment import Containment

if TYPE_CHECKING:
    from arena.play.jobs import EngineSpec
    from protocol.messages import OptionLine

engines = typer.Typer(no_args_is_help=True, help="List, show, add and remove registered engines.")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]
Beside = Annotated[
    Path | None, typer.Option("--engines", metavar="FILE", help="A registry file beside the shipped and your own.")
]
Mine = Annotated[
    Path | None, typer.Option("--engines", metavar="FILE", help="The registry file to change. [default: your own]")
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="What the engine is called.")]


@engines.command("list")
def list_(beside: Beside = None, as_json: AsJson = False) -> None:
    """List the registered engines, one line each: name, variants, options, command."""
    from arena.cli import output
    from arena.config import load

    registry = load.load_registry(beside)
    specs = [spec for name in registry.names if (spec := registry.get(name)) is not None]
    if as_json:
        typer.echo(json.dumps([_values(spec) for spec in specs]))
        return
    rows = [(spec.name, _variants(spec), _options(spec), shlex.join(spec.command)) for spec in specs]
    typer.echo(output.table(rows), nl=False)
    typer.echo(f"\nyour own registry: {load.user_registry_path()}")


@engines.command()
def show(
    engine: Annotated[str, typer.Argument(metavar="ENGINE", help="A name, a path, or a quoted command line.")],
    beside: Beside = None,
    contain: Contain = None,
    as_json: AsJson = False,
) -> None:
    """Start an engine and show what it says of itself: name, author, version, options."""
    from arena.config import load
    from arena.planning import fingerprint
    from arena.planning.introductions import introduce_one

    (spec,) = Containment(contain).apply([load.engine_argument(engine, load.load_registry(beside))])
    identity = introduce_one(spec)
    if as_json:
        announced = [asdict(option) for option in identity.options.values()]
        said = {"id": {"name": identity.name, "author": identity.author, "version": identity.version}}
        typer.echo(json.dumps({**_values(spec), "sha256": fingerprint.sha256(spec), **said, "announces": announced}))
        return
    typer.echo(f"{spec.name}: {identity.name or 'no name'} {identity.version}".rstrip())
    typer.echo(f"  author    {identity.author or 'not said'}")
    typer.echo(f"  command   {shlex.join(spec.command)}")
    typer.echo(f"  sha256    {fingerprint.sha256(spec)}")
    for option in identity.options.values():
        typer.echo(f"  option    {_told(option)}{_set(spec, option.name)}")


@engines.command()
def add(
    name: Name,
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="A path or a quoted command line.")],
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Set after the handshake; more than once for several."),
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option(help="What it plays, more than once for several. [default: all it announces]")
    ] = None,
    mine: Mine = None,
    replace: Annotated[bool, typer.Option("--replace", help="Change the entry of this name.")] = False,
    try_it: Annotated[bool, typer.Option("--try/--no-try", help="Start it first, to see that it answers.")] = True,
    contain: Contain = None,
) -> None:
    """Enter an engine in your own registry, so that its name is enough from now on."""
    from arena.config import load, registry_edit
    from arena.games import variants
    from arena.planning.build_plan import option_values
    from arena.planning.introductions import introduce_one

    for each in variant or []:
        variants.find(each)
    path = mine or load.user_registry_path()
    spec = load.engine_argument(command, load.Registry(()))
    options = {**spec.options, **option_values(option or [])}
    if try_it:
        boxed = Containment(contain).apply([replaced(spec, options=options)])
        identity = introduce_one(boxed[0])
        typer.echo(f"{name}: {identity.name or 'no name'} {identity.version}".rstrip() + " answers")
    registry_edit.add(path, name, spec.command, {"variants": variant or [], "options": options}, replace=replace)
    typer.echo(f"{name} is in {path}")


@engines.command()
def remove(name: Name, mine: Mine = None) -> None:
    """Take an engine out of your own registry; its games stay where they are."""
    from arena.config import load, registry_edit

    path = mine or load.user_registry_path()
    registry_edit.remove(path, name)
    typer.echo(f"{name} is no longer in {path}")


def _values(spec: "EngineSpec") -> dict[str, object]:
    return {
        "name": spec.name,
        "command": list(spec.command),
        "variants": list(spec.variants),
        "options": dict(spec.options),
    }


def _variants(spec: "EngineSpec") -> str:
    return ", ".join(spec.variants) or "all it announces"


def _options(spec: "EngineSpec") -> str:
    return " ".join(f"{name}={value}" for name, value in spec.options.items()) or "-"


def _told(option: "OptionLine") -> str:
    """`Hash: spin, 1 to 4096, 64 unless set`."""
    of = (
        ", ".join(option.choices)
        if option.choices
        else f"{option.min} to {option.max}"
        if option.type == "spin"
        else ""
    )
    unless = "" if option.default is None else f"{option.default or '<empty>'} unless set"
    return f"{option.name}: " + ", ".join(part for part in (option.type, of, unless) if part)


def _set(spec: "EngineSpec", option: str) -> str:
    given = {name.lower(): value for name, value in spec.options.items()}.get(option.lower())
    return "" if given is None else f", set to {given}"
