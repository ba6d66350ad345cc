"""Commands that people copy into a shell: how the arena and a path are written there."""

import os
import shlex
import shutil
import sys
from pathlib import Path


def shell_word(path: Path) -> str:
    """The path as a word for a shell, with ~ for the home folder: that keeps most commands in one line."""
    home = os.path.expanduser("~")
    if len(home) > 1 and path.is_relative_to(home):
        return f"~/{shlex.quote(str(path.relative_to(home)))}"
    text = str(path)
    return shlex.quote(f"./{text}" if text.startswith("-") else text)


def program() -> str:
    """`arena`, or the path by which it was started where a shell does not find it by that name: so in `make demo`."""
    started = Path(sys.argv[0])
    by_path = started.name == "arena" and os.sep in sys.argv[0]
    return shell_word(started) if by_path and shutil.which("arena") is None else "arena"
