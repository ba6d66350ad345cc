"""The command line of the zoo: `python -m tests.zoo [--fault NAME] [--at PHASE] ...`."""

import argparse
import os
from dataclasses import replace

from tests.zoo.catalogue import FAULTS
from tests.zoo.engine import Engine
from tests.zoo.settings import PHASES, Address, Settings


def main(arguments: list[str]) -> int:
    """Run the engine that the arguments ask for. Returns the exit status; wrong arguments exit with 2."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.list:
        for name, listed in FAULTS.items():
            verdicts = ", ".join(f"{phase}: {verdict}" for phase, verdict in listed.verdicts)
            print(f"{name:20} {verdicts} - {' '.join((listed.__doc__ or '').split())}")
        return 0
    settings = Settings(
        ply=asked.ply,
        think_ms=asked.think,
        cpu_ms=asked.cpu,
        limit=asked.limit,
        path=asked.path,
        address=asked.address,
        transport=asked.transport,
        really=asked.really,
        mover=asked.mover,
        resign_ply=asked.resign,
        offer_ply=asked.offer,
    )
    if asked.fault is None:
        return Engine(settings).run()
    fault = FAULTS[asked.fault]
    if missing := [option for option in fault.needs if getattr(settings, option) is None]:
        parser.error(f"the fault {fault.name} needs --{missing[0]}")
    phases = [phase for phase, _ in fault.verdicts]
    if asked.at not in (None, *phases):
        parser.error(f"the fault {fault.name} cannot be triggered at {asked.at}; it can at {', '.join(phases)}")
    return fault(replace(settings, at=asked.at or phases[0])).run()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.zoo",
        allow_abbrev=False,
        description="A correct engine that moves at random, and with --fault does exactly one thing wrong.",
    )
    parser.add_argument("--fault", metavar="NAME", choices=FAULTS, help="what to do wrong; --list names them")
    parser.add_argument("--at", choices=PHASES, help="when to do it, where the fault leaves a choice")
    parser.add_argument("--ply", type=int, default=6, help="how many moves must have been played for --at mid")
    parser.add_argument("--think", type=int, metavar="MS", help="think so long over each move, without CPU")
    parser.add_argument("--cpu", type=int, metavar="MS", help="use so much CPU over each move")
    parser.add_argument("--limit", type=int, metavar="N", help="how many processes or threads, or how many MB")
    parser.add_argument("--path", type=os.path.abspath, help="the file, or for fills-scratch the directory, to touch")
    parser.add_argument("--address", type=_address, metavar="HOST:PORT", help="where to connect to, loopback only")
    parser.add_argument("--transport", choices=("tcp", "udp"), default="tcp", help="how to connect")
    parser.add_argument("--really", action="store_true", help="let kills-parent use SIGKILL")
    parser.add_argument("--mover", choices=("random", "first"), default="random", help="which legal move to play")
    parser.add_argument("--resign", type=int, metavar="PLY", help="resign from this ply on")
    parser.add_argument("--offer", type=int, metavar="PLY", help="offer a draw with each move from this ply on")
    parser.add_argument("--list", action="store_true", help="list the faults, their verdicts and their moments")
    return parser


def _address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    if host not in ("127.0.0.1", "localhost"):
        raise argparse.ArgumentTypeError(f"{text!r} is not on the loopback: write 127.0.0.1:PORT")
    return Address(host, int(port))
