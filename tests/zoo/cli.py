"""The command line of the zoo: `python -m tests.zoo [--fault NAME] [--at PHASE] ...`."""

import argparse
import os
from dataclasses import replace

from tests.zoo.catalogue import FAULTS
from tests.zoo.engine import Engine
from tests.zoo.faults.fault import Faulty
from tests.zoo.settings import PHASES, Address, Settings

_FAULT_OPTIONS = ("limit", "path", "address", "transport", "really")
"""The options that only some faults take."""


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
        transport=asked.transport or "tcp",
        really=bool(asked.really),
        mover=asked.mover,
        resign_ply=asked.resign,
        offer_ply=asked.offer,
    )
    fault = FAULTS[asked.fault] if asked.fault else None
    for option in _FAULT_OPTIONS:
        if getattr(asked, option) is not None and (fault is None or option not in fault.takes):
            parser.error(f"--{option} is not for {'a correct engine' if fault is None else 'the fault ' + fault.name}")
    if fault is None:
        if asked.at is not None:
            parser.error("--at needs --fault")
        return Engine(settings).run()
    return _with_fault(parser, fault, settings, asked.at)


def _with_fault(parser: argparse.ArgumentParser, fault: type[Faulty], settings: Settings, at: str | None) -> int:
    for option in fault.needs:
        if getattr(settings, option) is None:
            parser.error(f"the fault {fault.name} needs --{option}")
    if settings.limit is not None and not 1 <= settings.limit <= fault.limit_most:
        parser.error(f"--limit of {fault.name} is 1 to {fault.limit_most}, not {settings.limit}")
    phases = [phase for phase, _ in fault.verdicts if at in (None, phase)]
    if not phases:
        possible = ", ".join(phase for phase, _ in fault.verdicts)
        parser.error(f"the fault {fault.name} cannot be triggered at {at}; it can at {possible}")
    return fault(replace(settings, at=phases[0])).run()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.zoo",
        allow_abbrev=False,
        description="A correct engine that moves at random, and with --fault does exactly one thing wrong.",
    )
    parser.add_argument("--fault", metavar="NAME", type=_fault, help="what to do wrong; --list names them")
    parser.add_argument("--at", choices=PHASES, help="when to do it, where the fault leaves a choice")
    parser.add_argument("--ply", type=_count, default=6, help="how many moves must have been played for --at mid")
    parser.add_argument("--think", type=_count, metavar="MS", help="think so long over each move, without CPU")
    parser.add_argument("--cpu", type=_count, metavar="MS", help="use so much CPU over each move")
    parser.add_argument("--limit", type=_count, metavar="N", help="how many processes or threads, or how many MB")
    parser.add_argument("--path", type=os.path.abspath, help="the file, or for fills-scratch the directory, to touch")
    parser.add_argument("--address", type=_address, metavar="HOST:PORT", help="where to connect to, loopback only")
    parser.add_argument("--transport", choices=("tcp", "udp"), help="how to connect, tcp unless told otherwise")
    parser.add_argument("--really", action="store_const", const=True, help="let kills-parent use SIGKILL")
    parser.add_argument("--mover", choices=("random", "first"), default="random", help="which legal move to play")
    parser.add_argument("--resign", type=_count, metavar="PLY", help="resign from this ply on")
    parser.add_argument("--offer", type=_count, metavar="PLY", help="offer a draw with each move from this ply on")
    parser.add_argument("--list", action="store_true", help="list the faults, their verdicts and their moments")
    return parser


def _fault(text: str) -> str:
    if text not in FAULTS:
        raise argparse.ArgumentTypeError(f"there is no fault {text!r}; --list names them")
    return text


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def _address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    host = "127.0.0.1" if host == "localhost" else host.strip("[]")
    parts = host.split(".")
    version_4 = len(parts) == 4 and parts[0] == "127" and all(part.isdigit() and int(part) < 256 for part in parts)
    if not (version_4 or host == "::1"):
        raise argparse.ArgumentTypeError(f"{text!r} is not on the loopback: write 127.0.0.1:PORT or [::1]:PORT")
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
        raise argparse.ArgumentTypeError(f"{text!r} has no port from 1 to 65535")
    return Address(host, int(port))
