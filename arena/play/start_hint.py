"""Why an engine does not start: another Python, a hidden package, another folder than its own, or its containment.

Only looks at the command, at the files beside it and at what the engine wrote on stderr.
"""

import itertools
import os
import re
from collections.abc import Sequence
from pathlib import Path

from protocol.containment import refusals
from results.safe_text import last_words

PACKAGES = ("arena", "protocol", "engines", "results")
"""The packages of the arena, which an engine in Python may import."""
_OURS = Path(__file__).resolve().parents[2]
_LACKING = re.compile(rf"No module named '({'|'.join(PACKAGES)})[.']")
_MISSING = re.compile(r"no such file or directory|FileNotFound|NoSuchFile|ENOENT", re.IGNORECASE)
_DENIED = re.compile(r"permission denied|AccessDenied|EACCES", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w.~-])/[^\s'\":,;()]+")
ELSEWHERE = (
    "an engine starts in a scratch folder, not in yours: let it open files beside its program, "
    "or name the folder as its `directory` in a tournament file or a registry file"
)
CONTAINED = (
    "an engine may read its own folder and write to its scratch folder: "
    "`--read PATH` or the key `reads` lets it read more, `--contain none` everything"
)
NO_NETWORK = "a contained engine has no network: `--contain none` starts it without containment"
OTHER_HOME = "a contained engine has an empty scratch folder as HOME: name files and interpreters by their whole paths"


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
    return _out_of_reach(command, stderr)


def _out_of_reach(command: Sequence[str], stderr: str) -> str:
    """What to do for a file that the engine names in its last words, and that it did not get."""
    last = last_words(stderr)
    refusal = refusals.find(stderr)
    if refusal is not None and refusal.what == refusals.THE_NETWORK:
        return NO_NETWORK
    if refusal is not None and refusal.in_home:
        return OTHER_HOME
    if _DENIED.search(last):
        return CONTAINED
    if _MISSING.search(last):
        # A file that is there for us, and not for the engine, is kept from it.
        there = any(os.path.exists(path) for path in _PATH.findall(last) if path not in command)
        return CONTAINED if there else ELSEWHERE
    module = re.search(r"No module named '?([\w.]+)", last)
    return ELSEWHERE if module is not None and ("-m", module[1]) in itertools.pairwise(command) else ""


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
