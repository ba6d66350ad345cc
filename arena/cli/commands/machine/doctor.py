"""`arena doctor`: which parts of containment work on this machine, and what counts CPU time. It tries each of them."""

import json
import os

from arena.cli.db_options import AsJson
from protocol.containment.policy import Level


def doctor(as_json: AsJson = False) -> None:
    """Show what each level of containment can do on this machine, what to install for more, and what to compile."""
    from rich.table import Table

    from arena.cli.output import console, echo, echo_sentence, program
    from arena.config import load
    from arena.planning.missing_files import missing_files
    from protocol.containment.box import USER
    from protocol.containment.group import REMEDY, groups
    from protocol.containment.trial import examine, kept_from

    examined = {level: examine(level) for level in Level}
    levels = (Level.BASIC, Level.STRICT)
    grouped = groups() is not None
    if as_json:
        values = {level.value: [part._asdict() for part in examined[level].parts] for level in levels}
        echo(json.dumps(values | {"control_groups": grouped}))
        return
    # At a level where no engine can be started the column is empty, and one line below says why.
    tried = {
        level: {part.name: part.works for part in each.parts}
        for level, each in examined.items()
        if each.user is not None
    }
    loopback = tried.get(Level.STRICT, {}).pop("loopback", False)
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
    if os.geteuid() == 0:
        users = {level.value: "a user without rights" if examined[level].user == USER else "root" for level in tried}
        sentence = ", ".join(f"`{level}` as {user}" for level, user in users.items() if level != "none")
        out.print(f"\nYou are root: an engine that every user may read runs here in {sentence}.", markup=False)
    if grouped:
        out.print("\nEach engine gets a control group, which counts its CPU time, helpers included.")
    else:
        out.print(
            "\nThere are no control groups for this user, so helpers of engines are neither bounded nor counted. "
            f"This starts the arena with them: {REMEDY}",
            markup=False,
        )
    out.print(
        f"An engine whose entry grants it has TCP on a loopback of its own: `strict` {'yes' if loopback else 'no'}."
    )
    out.print("The level `none` restricts nothing. `arena docs CONTAINMENT` explains each part.")
    registered = load.load_registry(None)
    specs = (spec for name in registered.names if (spec := registered.get(name)) is not None)
    for sentence in missing_files(specs, program()):
        echo_sentence(sentence)


def _answer(works: bool | None) -> str:
    return "-" if works is None else "[green]yes[/green]" if works else "[red]no[/red]"
