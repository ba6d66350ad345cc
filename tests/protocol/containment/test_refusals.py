"""What the system refused to an engine is found in its stderr."""

from protocol.containment import refusals
from protocol.containment.policy import Level

TOLD = {
    "Traceback...\nPermissionError: [Errno 13] Permission denied: 'engine.log'": "engine.log",
    "OSError: [Errno 30] Read-only file system: '/opt/x/log'": "/opt/x/log",
    "Error: EACCES: permission denied, open '/home/a/log.txt'": "/home/a/log.txt",
    "sh: 1: cannot create engine.log: Permission denied": "engine.log",
    "bash: /home/a/log: Permission denied\nbye": "/home/a/log",
    "java.io.FileNotFoundException: engine.log (Permission denied)": "engine.log",
    "java.nio.file.AccessDeniedException: /home/a/book": "/home/a/book",
    "panic: open /home/a/net.bin: permission denied": "/home/a/net.bin",
    'Os { code: 13, kind: PermissionDenied, message: "Permission denied" }': "",
    "OSError: [Errno 97] Address family not supported by protocol": "the network",
    "connect: Network is unreachable": "the network",
    "File 'socket.py'\n    _socket.socket()\nPermissionError: [Errno 13] Permission denied": "the network",
    "java.net.SocketException: Operation not permitted": "the network",
    "Error: connect EPERM 127.0.0.1:9": "the network",
    "sh: 2: exec: /tmp/arena-cell-1-2-ab/.mise/bin/python3: not found": "~/.mise/bin/python3",
}


def test_a_refusal_and_its_file_are_found() -> None:
    """As Python, Node, shells, Java, Go, Rust and C tell it."""
    for stderr, what in TOLD.items():
        found = refusals.find(stderr)
        assert found is not None and found.what == what


def test_a_refusal_in_the_sandbox_is_told_as_one_of_games() -> None:
    """Without containment it was the system itself."""
    refusal = refusals.Refusal("engine.log", "")
    assert refusals.sentence(refusal, Level.BASIC).startswith(
        "your engine tried to use `engine.log`; in games that is refused."
    )
    assert "in games" not in refusals.sentence(refusal, Level.NONE)
