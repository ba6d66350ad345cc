"""What an engine in a sandbox on the host's machine can reach of the guests' lines."""

import shutil
import sys
from pathlib import Path

import pytest

from protocol.containment.policy import Level, SandboxPolicy
from protocol.faults import EngineFault
from protocol.process import Command, EngineProcess
from protocol.session import Session
from tests.host.guests import Lab, connected, session
from tests.host.test_lines import begin, move

pytestmark = [pytest.mark.timeout(60), pytest.mark.usefixtures("nobody_is_there")]
SPY = """
import os, socket, sys
for name in os.listdir("/proc"):
    if name.isdigit() and int(name) != os.getpid():
        try:
            environ = open(f"/proc/{name}/environ", "rb").read()
        except OSError:
            continue
        if b"ARENA_HUB_KEY" in environ:
            sys.stderr.write("READS THE KEY\\n")
try:
    with socket.socket(socket.AF_UNIX) as hub:
        hub.connect(chr(0) + sys.argv[1])
        sys.stderr.write("CONNECTS\\n")
except OSError as refused:
    sys.stderr.write(f"{refused}\\n")
"""


def test_an_engine_in_a_sandbox_reaches_neither_the_key_nor_the_socket_of_relays(lab: Lab, tmp_path: Path) -> None:
    """With them it would speak to guests as the referee, or take all files that the hub may open."""
    (tmp_path / "spy.py").write_text(SPY)
    with connected(lab, "fox"), session(lab.spec("fox")) as line:
        begin(line)
        command = (sys.executable, "-I", "-S", str(tmp_path / "spy.py"), lab.process.environment["ARENA_HUB"])
        for level in (Level.BASIC, *[Level.STRICT] * (shutil.which("bwrap") is not None)):
            with EngineProcess.spawn(Command(command, SandboxPolicy(level))) as process:
                with pytest.raises(EngineFault):
                    Session(process).handshake()
                said = process.stderr_tail().decode()
            assert "CONNECTS" not in said and "READS" not in said and said, level
        assert move(line).word == "e5"
