"""Why an engine that uses the arena's Python packages does not start: another Python, or a file that hides them.

Only looks at the command, at the files beside it and at what the engine wrote on stderr.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

PACKAGES = ("arena", "protocol", "engines", "results")
"""The packages of the arena, which an engine in Python may import."""
_OURS = Path(__file__).resolve().parents[2]
_LACKING = re.compile(rf"No module named '({'|'.join(PACKAGES)})[.']")


def start_hint(command: Sequence[str], stderr: str) -> str:
    """One clause that says what to do; empty where nothing is known."""
    for word in command:
        if hidden := _hidden_beside(word, stderr):
            return hidden
        if _ends_as_windows(word):
            return f"the first line of {os.path.basename(word)} ends as Windows ends lines: save it with Unix line ends"
    if missing := _LACKING.search(stderr):
        return (
            f"this Python does not have the arena's package {missing[1]!r}: "
            "write {python} instead of python3, which is the Python that runs the arena"
        )
    return ""


def _hidden_beside(script: str, stderr: str) -> str:
    """A module or a package beside a script comes before an installed package of the same name."""
    if not script.endswith(".py") or not os.path.isfile(script):
        return ""
    for name in PACKAGES:
        path = os.path.join(os.path.dirname(script), name)
        file, package = f"{path}.py", os.path.join(path, "__init__.py")
        if not re.search(rf"\b{name}\b", stderr) or os.path.realpath(path) == str(_OURS / name):
            continue
        if os.path.isfile(file) or os.path.isfile(package):
            beside = f"{name}.py" if os.path.isfile(file) else f"the folder {name}"
            return f"{beside} beside {os.path.basename(script)} hides the arena's package {name!r}: rename it"
    return ""


def _ends_as_windows(script: str) -> bool:
    try:
        with open(script, "rb") as file:
            first = file.readline(256)
    except OSError:
        return False
    return first.startswith(b"#!") and first.endswith(b"\r\n")
