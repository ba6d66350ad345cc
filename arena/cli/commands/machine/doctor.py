"""`arena doctor`: which parts of containment work on this machine, and what counts CPU time. It tries each of them."""

import json
import os
import sys
from collections.abc import Sequence

from arena.cli.db_options import AsJson
from protocol.containment.policy import Level


def doctor(as_json: AsJson = False) -> None:
    """Show what each level of containment can do on this machine, what to install for more, and what to compile."""
    from rich.table import Table

    from arena.cli.output import console, echo, echo_sentence, program
    from arena.config import load
    from arena.planning.missing_files import missing_files
    from protocol.containment.probe import examine, kept_from

    examined = {level: examine(level, loopback=level is Level.STRICT) for level in Level}
    levels = (Level.BASIC, Level.STRICT)
    if as_json:
        values = {level.value: [part._asdict() for part in examined[level].parts] for level in levels}
        echo(json.dumps(values | {"counted": [level.value for level in Level if examined[level].counted]}))
        return
    # Where no engine can be started at a level, its column is empty, and one line below says why.
    tried = {
        level: {part.name: part.works for part in each.parts}
        for level, each in examined.items()
        if each.user is not None
    }
    granted = {level: works.pop("loopback") for level, works in tried.items() if "loopback" in works}
    names = dict.fromkeys(part for works in tried.values() for part in works)
    table = Table("an engine is kept from", *(level.value for level in Level), box=None, pad_edge=False)
    parts = {part.name: part for level in tried for part in examined[level].parts}
    for name in names:
        table.add_row(kept_from(parts[name]), *(_answer(tried.get(level, {}).get(name)) for level in Level))
    out = console()
    out.print(table)
    for level in levels:
        if level not in tried:
            out.print(f"\n`{level}` is not available: {examined[level].parts[0].detail}", markup=False)
    remedies = dict.fromkeys(part.remedy for level in levels for part in examined[level].parts if not part.works)
    for remedy in remedies:
        out.print(f"missing: {remedy}", markup=False)
    if user := _user_sentence([examined[level].user for level in levels]):
        out.print(f"\n{user}", markup=False)
    out.print(f"\n{_clock_sentence([level for level in Level if examined[level].counted])}", markup=False)
    able = "yes" if granted.get(Level.STRICT) else "no"
    out.print(f"An engine whose entry grants it has TCP on a loopback of its own: `strict` {able}.")
    out.print("The level `none` restricts nothing. `arena docs CONTAINMENT` explains each part.")
    registered = load.load_registry(None)
    specs = (spec for name in registered.names if (spec := registered.get(name)) is not None)
    for sentence in missing_files(specs, program()):
        echo_sentence(sentence)


def _answer(works: bool | None) -> str:
    return "-" if works is None else "[green]yes[/green]" if works else "[red]no[/red]"


def _clock_sentence(counted: Sequence[Level]) -> str:
    """What tells the CPU time of engines, at which levels."""
    if not counted:
        return (
            "The CPU time of engines is told by /proc, which lacks helpers that nobody waits for: the kernel gives "
            "no counter (it needs kernel.perf_event_paranoid of 2 or less). `arena docs CLOCKS` says more."
        )
    levels = ", ".join(f"`{level.value}`" for level in counted)
    return f"A counter of the kernel tells the CPU time of engines, helpers included: {levels}."


def _user_sentence(users: Sequence[int | None]) -> str:
    """Which user engines run as if root runs the arena. Empty for an ordinary user: engines run as that user."""
    from protocol.containment import engine_user

    if os.geteuid() != 0:
        return ""
    if obstacle := engine_user.obstacle():
        return f"You are root, and your engines run as root without capabilities: {obstacle}."
    closed = f" The Python of the arena ({os.path.realpath(sys.executable)}) is closed to other users."
    return (
        "You are root: an engine that every user may read runs as a user of its own, another as root without "
        f"capabilities.{closed * (0 in users)}"
    )
