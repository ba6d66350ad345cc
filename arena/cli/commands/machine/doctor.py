"""`arena doctor`: which parts of containment work on this machine, and what counts CPU time. It tries each of them."""

import json
import os
import sys

from arena.cli.db_options import AsJson
from protocol.containment.policy import Level


def doctor(as_json: AsJson = False) -> None:
    """Show what each level of containment can do on this machine, what to install for more, and what to compile."""
    from arena.cli.output import echo, echo_sentence, print_table, program
    from arena.config import load
    from arena.planning.engine_files import missing_files
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
    parts = {part.name: part for level in tried for part in examined[level].parts}
    rows = [(kept_from(parts[name]), *(_answer(tried.get(level, {}).get(name)) for level in Level)) for name in names]
    print_table([("an engine is kept from", *(level.value for level in Level)), *rows])
    for level in levels:
        if level not in tried:
            echo()
            echo_sentence(f"`{level}` is not available: {examined[level].parts[0].detail}")
    parts_tried = (part for level in levels if level in tried for part in examined[level].parts)
    for remedy in dict.fromkeys(part.remedy for part in parts_tried if not part.works):
        echo_sentence(f"missing: {remedy.removeprefix('it needs ')}")
    echo()
    if os.geteuid() == 0:
        echo_sentence(_user_sentence(examined[Level.BASIC].user, examined[Level.STRICT].user))
    if grouped:
        echo_sentence("Each engine gets a control group, which counts its CPU time, helpers included.")
    else:
        echo_sentence(
            "There are no control groups for this user, so helpers of engines are neither bounded nor counted. "
            f"This starts the arena with them: {REMEDY}"
        )
    echo_sentence(
        f"An engine whose entry grants it has TCP on a loopback of its own: `strict` {'yes' if loopback else 'no'}."
    )
    echo_sentence("The level `none` restricts nothing. `arena docs CONTAINMENT` explains each part.")
    registered = load.load_registry(None)
    specs = (spec for name in registered.names if (spec := registered.get(name)) is not None)
    for sentence in missing_files(specs, program()):
        echo_sentence(sentence)


def _user_sentence(in_basic: int | None, in_strict: int | None) -> str:
    """As which user engines run if root runs the arena. The users are those of the trials."""
    from protocol.containment.box import may_become_user
    from protocol.containment.reads import may_everybody_read

    if not may_become_user():
        return "You are root, and your engines run as root without capabilities: this container has no user for them."
    sentence = "You are root: an engine that every user may read runs as a user without rights, another as root."
    if not may_everybody_read(sys.executable):
        return f"{sentence} The Python of the arena ({os.path.realpath(sys.executable)}) is closed to other users."
    if in_basic and in_strict == 0:
        return f"{sentence} In `strict` all run as root, since other users may make no namespaces here."
    return sentence


def _answer(works: bool | None) -> str:
    return "-" if works is None else "yes" if works else "no"
