"""Locks between processes."""

import subprocess
import sys
from pathlib import Path

from arena.play.file_lock import locked

HOLDS = """
import sys
from pathlib import Path
from arena.play.file_lock import locked
with locked("it", Path(sys.argv[1])) as ours:
    print(ours, flush=True)
    sys.stdin.read()
"""


def test_a_lock_is_held_by_one_process_until_that_process_ends(tmp_path: Path) -> None:
    """A killed process, which cannot release anything, frees its locks too."""
    words = [sys.executable, "-c", HOLDS, str(tmp_path)]
    root = Path(__file__).parent.parent.parent.parent
    with subprocess.Popen(words, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "True\n"
        with locked("it", tmp_path) as ours, locked("another", tmp_path) as another:
            assert (ours, another) == (False, True)
        other.kill()
    with locked("it", tmp_path) as ours:
        assert ours
    with locked("it", tmp_path) as again:
        assert again
