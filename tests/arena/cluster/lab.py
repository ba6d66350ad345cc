"""Machines for tests: network namespaces on a bridge, each with a host name, a cache, and no compiled engines."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.running import running

ROOT = Path(__file__).parents[3]
ARENA = [sys.executable, "-m", "arena"]
PREFIX = f"ar{os.getpid()}"
"""The beginning of all names: several processes of tests may have labs at once."""
NET = f"10.{50 + os.getpid() % 150}.{os.getpid() // 150 % 250}"
HUB = f"{NET}.254"
"""The address of the machine that runs the test, which has the scheduler and the database."""


def is_possible() -> bool:
    """May this process make namespaces? Only root may, and not within every container."""
    if os.geteuid() != 0:
        return False
    try:
        made = subprocess.run(["ip", "netns", "add", f"{PREFIX}try"], capture_output=True, timeout=20)
        subprocess.run(["ip", "netns", "del", f"{PREFIX}try"], capture_output=True, timeout=20)
    except OSError:
        return False
    return made.returncode == 0


class Lab:
    """Machines m1, m2 and so on, and processes on them that end with the lab."""

    def __init__(self, folder: Path, machines: int, processes: contextlib.ExitStack) -> None:
        self.folder = folder
        self._processes = processes
        self._run(
            f"ip link add {PREFIX}br type bridge", f"ip addr add {HUB}/24 dev {PREFIX}br", f"ip link set {PREFIX}br up"
        )
        for number in range(1, machines + 1):
            name = f"{PREFIX}m{number}"
            self._run(
                f"ip netns add {name}",
                f"ip link add {PREFIX}v{number} type veth peer name eth0 netns {name}",
                f"ip link set {PREFIX}v{number} master {PREFIX}br up",
                f"ip -n {name} addr add {NET}.{number}/24 dev eth0",
                f"ip -n {name} link set eth0 up",
                f"ip -n {name} link set lo up",
            )

    def _run(self, *commands: str) -> None:
        for command in commands:
            subprocess.run(command.split(), check=True, capture_output=True, timeout=20)

    def start(self, command: list[str], log: str, machine: int | None = None) -> "subprocess.Popen[bytes]":
        """Start a process, on this machine or in a namespace; what it says is in the file `log`."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "200"}
        if machine is not None:
            home = self.folder / f"home{machine}"
            home.mkdir(exist_ok=True)
            environment |= {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "XDG_RUNTIME_DIR": str(home)}
            script = f'hostname m{machine}; mount -t tmpfs none {ROOT}/engines/bin; exec "$@"'
            within = ["ip", "netns", "exec", f"{PREFIX}m{machine}", "unshare", "--uts", "--mount"]
            command = [*within, "sh", "-c", script, "sh", *command]
        with (self.folder / log).open("wb") as out:
            return self._processes.enter_context(
                running(command, cwd=self.folder, env=environment, stdout=out, stderr=out)
            )

    def said(self, log: str) -> str:
        return (self.folder / log).read_text(errors="replace")

    def cut(self, machine: int) -> None:
        """Pull the cable of a machine: no connection is closed, nothing comes through."""
        self._run(f"ip link set {PREFIX}v{machine} down")

    def mend(self, machine: int) -> None:
        self._run(f"ip link set {PREFIX}v{machine} up")

    def processes(self, machine: int) -> list[str]:
        """The command lines of all processes on a machine."""
        pids = subprocess.run(
            ["ip", "netns", "pids", f"{PREFIX}m{machine}"], capture_output=True, text=True, timeout=20
        ).stdout.split()
        found = []
        for pid in pids:
            with contextlib.suppress(OSError):
                found.append(f"{pid} " + Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " "))
        return found


@contextlib.contextmanager
def lab(folder: Path, machines: int) -> Iterator[Lab]:
    """A lab that is gone when the block ends."""
    with contextlib.ExitStack() as held:
        links = [f"{PREFIX}br", *(f"{PREFIX}v{number}" for number in range(1, machines + 1))]
        for number in range(1, machines + 1):
            held.callback(subprocess.run, ["ip", "netns", "del", f"{PREFIX}m{number}"], capture_output=True)
        # By themselves: a namespace goes only after its last process, and the next lab has links of the same names.
        for link in links:
            held.callback(subprocess.run, ["ip", "link", "del", link], capture_output=True)
        yield Lab(folder, machines, held.enter_context(contextlib.ExitStack()))
