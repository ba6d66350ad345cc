"""Lets commands share groups of options: a table of settings or a dataclass is a group, each field an option."""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

Given = dict[str, Any]
"""The options of a table of settings that were given, by the names of its fields."""


def option(help: str, metavar: str | None = None, *, flag: str | None = None, **more: Any) -> Any:
    """An option as typer takes it; `flag` is its name where that is not the parameter's."""
    return typer.Option(*([flag] if flag else ()), help=help, metavar=metavar, **more)


def argument(help: str, metavar: str | None = None, **more: Any) -> Any:
    """A positional argument as typer takes it."""
    return typer.Argument(help=help, metavar=metavar, **more)


def table_option(name: str, field: "FieldInfo") -> Parameter:
    """The option of a field of a table of settings, as `arena.config.settings.key` describes it.

    Its value is a text, or a list of texts, which the table reads: None if it was not given.
    """
    about = _about(field)
    flag = about.get("flag") or f"--{name.replace('_', '-')}"
    many = "list[" in str(field.annotation)
    kind: Any = bool | None if field.annotation is bool else list[str] | None if many else str | None
    metavar = about.get("metavar") or ("N" if "int" in str(field.annotation) else "NUMBER")
    shown = about.get("shown") or ("" if field.default in (None, False, "") else field.default)
    described = option(
        f"{field.description} [default: {shown}]" if shown != "" else str(field.description),
        None if field.annotation is bool else metavar,
        flag=flag,
        rich_help_panel=about.get("panel"),
        show_default=False,
    )
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, described])


def _about(field: "FieldInfo") -> dict[str, Any]:
    return field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}


def _is_option(field: "FieldInfo") -> bool:
    return "panel" in _about(field) and str(field.annotation).count("list[") < 2


def group_options(group: Any, names: Sequence[str]) -> list[Parameter]:
    """The options of a group: a table of settings, or a dataclass. Only those of `names`, if there are any.

    Only files have a key without a panel, or one whose value is a list of lists: it is left out.
    """
    if hasattr(group, "model_fields"):
        chosen = {name: each for name, each in group.model_fields.items() if not names or name in names}
        return [table_option(name, each) for name, each in chosen.items() if _is_option(each)]
    hints: dict[str, Any] = get_type_hints(group, include_extras=True)
    return [
        Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name])
        for each in fields(group)
        if not names or each.name in names
    ]


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The same command for typer, with the options of its groups in the place of each group.

    A parameter whose type is a dataclass is a group: each field is an option; `Annotated[Group, ("one", "two")]` has
    these alone. A parameter of the type `Annotated[Given, Table]` has an option for each field of a table of settings,
    and is called with those that were given, as texts, which `arena.config.load` reads.

        @app.command()
        @grouped
        def play(engine: str, *, output: OutputOptions, settings: Annotated[Given, GameSettings]) -> None: ...
    """
    types = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    options: dict[str, list[Parameter]] = {}
    parameters: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        name, kind = parameter.name, types[parameter.name]
        group, *chosen = get_args(kind) if get_origin(kind) is Annotated else (kind,)
        if group == Given:
            group, *chosen = chosen
        if is_dataclass(group) or hasattr(group, "model_fields"):
            groups[name], options[name] = group, group_options(group, chosen[0] if chosen else ())
            parameters += options[name]
        else:
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=kind))

    def flat(**values: Any) -> None:
        for name, group in groups.items():
            given = {each.name: values.pop(each.name) for each in options[name]}
            if hasattr(group, "model_fields"):
                values[name] = {key: value for key, value in given.items() if value not in (None, [])}
            else:
                values[name] = group(**given)
        command(**values)

    flat.__name__, flat.__doc__, flat.__module__ = command.__name__, command.__doc__, command.__module__
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    # typer reads the names, their order and the defaults from here, and refuses nothing that is written in this way.
    flat.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # as inspect documents it
    return flat
