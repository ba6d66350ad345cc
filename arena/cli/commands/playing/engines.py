"""`arena engines`: the registered engines, what each says of itself, and changes to your own registry.

And the searches in C, compiled for this user.
"""

import json
import shlex
from dataclasses import asdict
from dataclasses import replace as replaced
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import output
from arena.cli.db_options import AsJson
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option
from arena.cli.options import Contain, Engines
from arena.planning.containment import Containment
from arena.play.jobs import EngineSpec
from protocol.messages import OptionLine

engines = typer.Typer(
    no_args_is_help=True, help="List, show, add and remove registered engines; compile the strong ones."
)

OwnRegistry = Annotated[
    Path | None, option("The registry file to change. [default: your own]", "FILE", flag="--engines")
]
Name = Annotated[str, argument("What the engine is called.", "NAME")]


@engines.command("list")
def list_(engines: Engines = None, as_json: AsJson = False) -> None:
    """List the registered engines, one line each: name, variants, options, command."""
    from arena.config import load
    from arena.planning.engine_files import missing_files

    registered = load.load_registry(engines)
    known = [(name, spec) for name in registered.names if (spec := registered.get(name)) is not None]
    specs = [replaced(spec, name=name) for name, spec in known]  # not that of another player, as what is not compiled
    if as_json:
        output.echo(json.dumps([_values(spec) for spec in specs]))
        return
    rows = [("engine", "variants", "options", "command")]
    for spec in specs:
        variants = ", ".join(spec.variants) or "all it announces"
        options = " ".join(f"{name}={value}" for name, value in spec.options.items()) or "-"
        rows.append((spec.name, variants, options, shlex.join(spec.command)))
    output.print_table(rows)
    output.echo()
    output.echo_sentence(f"your own registry: {load.user_registry_path()}")
    for sentence in missing_files(specs, output.program()):
        output.echo_sentence(sentence)


@engines.command()
def show(
    engine: Annotated[str, argument("A name, a path, or a quoted command line.", "ENGINE")],
    engines: Engines = None,
    contain: Contain = None,
    as_json: AsJson = False,
) -> None:
    """Start an engine and show what it says of itself: name, author, version, options."""
    from arena.config import load
    from arena.config.engine_argument import engine_argument
    from arena.planning.engine_files import sha256
    from arena.planning.introductions import introduce_one

    (spec,) = Containment(contain).apply([engine_argument(engine, load.load_registry(engines))])
    identity = introduce_one(spec)
    digest = sha256(spec)
    if as_json:
        names = {"name": identity.name, "author": identity.author, "version": identity.version}
        announced = [asdict(option) for option in identity.options.values()]
        output.echo(json.dumps({**_values(spec), "sha256": digest, "id": names, "announces": announced}))
        return
    output.echo(f"{spec.name}: {identity.name or 'no name'} {identity.version}".rstrip())
    output.echo(f"  author    {identity.author or 'not said'}")
    output.echo(f"  command   {shlex.join(spec.command)}")
    output.echo(f"  sha256    {digest}")
    for each in identity.options.values():
        output.echo(f"  option    {_option_text(each)}{_set_value(spec, each.name)}")


@engines.command()
def add(
    name: Name,
    command: Annotated[list[str], argument("A path, a quoted command line, or its words.", "COMMAND...")],
    option: Annotated[
        list[str] | None, option("Set after the handshake; repeat the option for more.", "NAME=VALUE")
    ] = None,
    variant: Annotated[
        list[str] | None, option("A variant that it plays; repeat for more. [default: all it announces]")
    ] = None,
    adapter: Annotated[
        str, option("Use its protocol: uci, tablut, or a TOML file with its words.", "NAME|FILE", flag="--adapter")
    ] = "",
    own_name: Annotated[
        str, option("What a client of the Tablut Challenge calls itself. [default: NAME]", "TEXT", flag="--name")
    ] = "",
    reads: Annotated[
        list[Path] | None, option("A path that it may read beside its own; repeat for more.", "PATH")
    ] = None,
    directory: Annotated[Path | None, option("Its working directory. [default: its scratch folder]", "DIR")] = None,
    own: OwnRegistry = None,
    replace: Annotated[bool, option("Replace the engine with this name.", flag="--replace")] = False,
    try_it: Annotated[bool, option("Start it first, to see whether it answers.", flag="--try/--no-try")] = True,
    contain: Contain = None,
) -> None:
    """Add an engine to your own registry. Then its name is enough in every command."""
    from arena.config import load, registry_edit
    from arena.config.engine_argument import adapted, engine_argument, option_values
    from arena.config.schema import merged_options
    from arena.games import variants
    from arena.planning.introductions import introduce_one

    for each in variant or []:
        variants.find(each)
    if directory is not None and not directory.is_dir():
        raise BadInput(f"--directory {directory}: is not a folder; make it first, or name another one")
    if missing := [each for each in reads or [] if not each.exists()]:
        raise BadInput(f"--reads {missing[0]}: there is no such file or folder; check the path")
    path = own or load.user_registry_path()
    if not replace:
        registry_edit.check_free(path, name)
    text = command[0] if len(command) == 1 else shlex.join(command)
    spec = adapted(replaced(engine_argument(text, load.Registry(())), name=name), adapter, own_name)
    within = None if directory is None else str(directory.absolute())
    readable = [str(each.absolute()) for each in reads or []]
    spec = replaced(spec, sandbox=replaced(spec.sandbox, directory=within, reads=(*spec.sandbox.reads, *readable)))
    options = merged_options(spec.options, option_values(option or []))
    if try_it:
        boxed = Containment(contain).apply([replaced(spec, options=options)])
        rules = variants.find(spec.variants[0]) if spec.variants else None
        identity = introduce_one(boxed[0], rules=rules)
        both = " and gets ready for a game on each side" if identity.announced("UGI_Side") else ""
        output.echo_sentence(f"{name}: {identity.name or 'no name'} {identity.version}".rstrip() + f" answers{both}")
    more: dict[str, object] = {"variants": variant or [*spec.variants], "options": options, "directory": within}
    more |= {"reads": readable, "files": [*spec.files], "restart": spec.restart}
    if spec.sandbox.loopback:
        more |= {"grants": ["loopback"], "limits": {"preset": "contest"}}
    registry_edit.add(path, name, spec.command, more)
    output.echo_sentence(f"{name} is in {path}")


@engines.command()
def remove(name: Name, own: OwnRegistry = None) -> None:
    """Remove an engine from your own registry. Its games stay in their databases."""
    from arena.config import load, registry_edit

    path = own or load.user_registry_path()
    registry_edit.remove(path, name)
    output.echo_sentence(f"{name} is no longer in {path}")


@engines.command("build")
def build_(remove: Annotated[bool, option("Delete the compiled searches.", flag="--remove")] = False) -> None:
    """Compile the searches of the strong engines, in C, into your cache. It takes a C compiler and some seconds."""
    import shutil

    from engines.native.build import ENGINES, cache, up_to_date

    folder = cache()
    if remove:
        there = folder.exists()
        if there:
            shutil.rmtree(folder)
        output.echo_sentence(f"{folder} is removed" if there else f"there is no {folder}; nothing was compiled so")
        return
    for engine in ENGINES:
        try:
            output.echo_sentence(f"{engine} is compiled: {up_to_date(engine)}")
        except RuntimeError as error:
            raise BadInput(f"{engine}: {error}") from None


def _values(spec: EngineSpec) -> dict[str, object]:
    return {
        "name": spec.name,
        "command": list(spec.command),
        "variants": list(spec.variants),
        "options": dict(spec.options),
    }


def _option_text(option: OptionLine) -> str:
    """Such as `Hash: spin, 1 to 4096, default 64`."""
    values = f"{option.min} to {option.max}" if option.type == "spin" else ", ".join(option.choices)
    default = "" if option.default is None else f"default {option.default or '<empty>'}"
    return f"{option.name}: " + ", ".join(part for part in (option.type, values, default) if part)


def _set_value(spec: EngineSpec, option: str) -> str:
    given = {name.lower(): value for name, value in spec.options.items()}.get(option.lower())
    return "" if given is None else f", here {given}"
