"""`arena cluster`: keys, the meeting point, machines that join it, and who is there."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options, output
from arena.cli.db_options import AsJson
from arena.cli.option_groups import argument, option

cluster = typer.Typer(no_args_is_help=True, help="Let several machines play the games of a run.")

Address = Annotated[str, argument("Where the scheduler listens: tls://HOST:8786.", "ADDRESS")]


@cluster.command()
def keys(folder: Annotated[Path, argument("A new folder. Copy it to each machine.", "DIR")]) -> None:
    """Make the keys of a cluster. Anyone who has them can run any program on all of its machines."""
    from arena.cluster.errors import require_extra
    from arena.cluster.keys import make

    require_extra()
    for path in make(folder):
        output.echo(str(path))


@cluster.command()
def scheduler(
    keys: options.ClusterKeys = None,
    port: Annotated[int, option("The port.", min=1, max=65_535)] = 8786,
    host: Annotated[str | None, option("The address. [default: 0.0.0.0; without keys 127.0.0.1]", "ADDRESS")] = None,
) -> None:
    """Let machines and arenas meet here, until Ctrl-C."""
    from arena.cluster.access import access, scheduler_address

    reached = access(scheduler_address(host, port, keys), keys)
    from arena.cluster.serving import run_scheduler

    run_scheduler(reached, output.notify)


@cluster.command()
def join(
    address: Address,
    keys: options.ClusterKeys = None,
    slots: Annotated[int | None, option("Games at once. [default: CPU cores - 1, at least 1]", min=1, max=1024)] = None,
    cpus: Annotated[str | None, option("Use these CPUs only, as taskset does: 3,5 or 0-3.", "LIST")] = None,
) -> None:
    """Let this machine play games for all who may use the cluster, until Ctrl-C."""
    from arena.cluster.access import access

    options.MachineOptions(cpus=cpus).keep_to_cpus()
    reached = access(address, keys)
    from arena.cluster.serving import run_machine

    run_machine(reached, slots, output.notify)


@cluster.command()
def status(address: Address, keys: options.ClusterKeys = None, as_json: AsJson = False) -> None:
    """List the machines of a cluster: slots, CPUs, edition, Python, and whether they play."""
    from arena.cluster.access import access

    reached = access(address, keys)
    from arena.cluster.serving import status as machines_of

    machines = machines_of(reached)
    if as_json:
        output.echo(json.dumps([{"address": each} if isinstance(each, str) else asdict(each) for each in machines]))
        return
    rows = [("machine", "slots", "CPUs", "edition", "Python", "state")]
    for each in machines:
        if isinstance(each, str):
            rows.append((each, "-", "-", "-", "-", "does not answer"))
        else:
            state = "plays" if each.playing else "free"
            rows.append((each.host, str(each.slots), each.cpus or "-", each.edition, each.python, state))
    output.print_table(rows, {1})
    if not machines:
        output.notify(f"no machine has joined {reached.address} yet: arena cluster join {reached.address}")
