"""What the system refused to an engine is found in its stderr."""

import pytest

from protocol.conformance import refusals
from protocol.containment.policy import Level


@pytest.mark.parametrize(
    ("stderr", "what"),
    [
        ("Traceback...\nPermissionError: [Errno 13] Permission denied: 'engine.log'", "engine.log"),
        ("OSError: [Errno 30] Read-only file system: '/opt/x/log'", "/opt/x/log"),
        ("Error: EACCES: permission denied, open '/home/a/log.txt'", "/home/a/log.txt"),
        ("sh: 1: cannot create engine.log: Permission denied", "engine.log"),
        ("bash: /home/a/log: Permission denied\nbye", "/home/a/log"),
        ("java.io.FileNotFoundException: engine.log (Permission denied)", "engine.log"),
        ("java.nio.file.AccessDeniedException: /home/a/book", "/home/a/book"),
        ("panic: open /home/a/net.bin: permission denied", "/home/a/net.bin"),
        ('Os { code: 13, kind: PermissionDenied, message: "Permission denied" }', ""),
        ("OSError: [Errno 97] Address family not supported by protocol", "the network"),
        ("connect: Network is unreachable", "the network"),
    ],
)
def test_a_refusal_and_its_file_are_found(stderr: str, what: str) -> None:
    """As Python, Node, shells, Java, Go, Rust and C tell it."""
    found = refusals.find(stderr)
    assert found is not None and found.what == what


def test_other_errors_are_no_refusals() -> None:
    """A missing file, a broken assertion and silence explain themselves."""
    for stderr in ("", "FileNotFoundError: [Errno 2] No such file or directory: 'x'", "assert failed: 1 == 2"):
        assert refusals.find(stderr) is None


def test_a_refusal_in_the_sandbox_is_told_as_one_of_games() -> None:
    """Without containment it was the system itself."""
    refusal = refusals.Refusal("engine.log", "")
    assert refusals.sentence(refusal, Level.BASIC).startswith(
        "your engine tried to use `engine.log`; in games that is refused."
    )
    assert "in games" not in refusals.sentence(refusal, Level.NONE)
