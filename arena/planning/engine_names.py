"""What the engines of a run are called that nobody gave a name: as they call themselves (`id name`).

Such a name must be the same when the run goes on, and two programs of one database must not share it, since ratings
join games by name. So the program's file gives the name where that of the engine is taken. Starts no engine.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from arena.config.load import unique
from arena.planning.plan import Plan
from arena.play.jobs import EngineSpec

LONGEST = 60
"""The engine's own name is cut at so many characters."""
Known = Callable[[Collection[str]], Collection[tuple[str, tuple[str, ...]]]]
"""The names and the commands of the players of a database that have one of these names."""


def renamed(plan: Plan, own_names: Mapping[str, str], known: Known) -> Plan:
    """The plan with names for the engines that have none. `own_names`: what each calls itself, by its present name."""
    if all(spec.named for spec in plan.engines):
        return plan
    before = [spec.name for spec in plan.engines]
    engines = unique(_named(plan.engines, {name: _clean(text) for name, text in own_names.items()}, known))
    names = [spec.name for spec in engines]
    title = plan.name
    # A match is called after its engines: `A against B`.
    if len(names) == 2 and title.startswith(before[0]) and title.endswith(before[1]):
        title = names[0] + title[len(before[0]) : len(title) - len(before[1])] + names[1]
    return replace(plan, name=title, engines=engines)


def _named(specs: Sequence[EngineSpec], own_names: Mapping[str, str], known: Known) -> list[EngineSpec]:
    stored: dict[str, set[tuple[str, ...]]] = {}
    for name, command in known({*own_names.values(), *(spec.name for spec in specs)}):
        stored.setdefault(name, set()).add(command)
    wanted = [spec.name if spec.named else own_names.get(spec.name) or spec.name for spec in specs]
    specs_named = []
    for spec, own in zip(specs, wanted, strict=True):
        # A program of another command has the engine's name, in this run or in the database.
        taken = own in stored or any(
            name == own and other.command != spec.command for name, other in zip(wanted, specs, strict=True)
        )
        if spec.command in stored.get(own, ()):
            name = own
        elif taken or spec.command in stored.get(spec.name, ()):
            name = spec.name
        else:
            name = own
        specs_named.append(replace(spec, name=name))
    return specs_named


def _clean(text: str) -> str:
    """An engine's own name as a table can show it; empty where nothing is left of it."""
    printable = "".join(each if each.isprintable() else "?" for each in text).strip()
    return printable[:LONGEST].strip()
