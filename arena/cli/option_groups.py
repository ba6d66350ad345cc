"""Lets commands share groups of options: a frozen dataclass is one group, each of its fields one option."""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from arena.conformance.arguments import Argument


def option(help: str, metavar: str | None = None, *, flag: str | None = None, **more: Any) -> Any:
    """An option as typer takes it; `flag` is its name where that is not the parameter's."""
    return typer.Option(*([flag] if flag else ()), help=help, metavar=metavar, **more)


def argument(help: str, metavar: str | None = None, **more: Any) -> Any:
    """A positional argument as typer takes it."""
    return typer.Argument(help=help, metavar=metavar, **more)


def typer_parameter(described: Argument) -> Any:
    """An argument of a table as typer takes it."""
    if described.positional:
        return argument(described.help, described.metavar)
    return option(described.help, described.metavar, flag=described.flag, rich_help_panel=described.panel)


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The same command for typer, with the fields of its groups in the place of each group.

    A parameter whose type is a dataclass is a group; as `Annotated[Group, ("one", "two")]` it is these fields alone.
    The fields of the dataclass are annotated as options are, and all have defaults. typer sees a function with one
    parameter for each field; `command` is called with one value for each group. Raises ValueError where two parameters
    or fields have one name.

        @dataclass(frozen=True, slots=True)
        class Output:
            quiet: Annotated[bool, typer.Option("--quiet", help="Print less.")] = False

        @app.command()
        @grouped
        def play(engine: str, *, output: Output) -> None: ...      # arena play ENGINE --quiet
    """
    types = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    chosen: dict[str, Sequence[str]] = {}
    for name, kind in types.items():
        group = get_args(kind)[0] if get_origin(kind) is Annotated else kind
        if is_dataclass(group):
            groups[name] = group
            chosen[name] = [field.name for field in fields(group)] if kind is group else get_args(kind)[1]
    parameters: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        if (group := groups.get(parameter.name)) is None:
            annotation = types[parameter.name]
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=annotation))
            continue
        options = get_type_hints(group, include_extras=True)
        for field in fields(group):
            if field.name not in chosen[parameter.name]:
                continue
            kind, info = get_args(options[field.name])
            if isinstance(info, Argument):
                info = typer_parameter(info)
            parameters.append(
                Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=Annotated[kind, info])
            )

    def flat(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(
                **{field.name: values.pop(field.name) for field in fields(group) if field.name in values}
            )
        command(**values)

    flat.__name__, flat.__doc__, flat.__module__ = command.__name__, command.__doc__, command.__module__
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    # typer reads the names, their order and the defaults from here, and refuses nothing that is written in this way.
    flat.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # as inspect documents it
    return flat
