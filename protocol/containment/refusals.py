"""What a system refused to an engine, as the engine's stderr tells it.

The sandbox writes no log of what it refuses. But most runtimes say why a call failed, and which file it was about.
"""

import re
from typing import NamedTuple

from protocol.containment.policy import Level

_REFUSED = r"permission ?denied|access ?denied|operation not permitted|read-only file ?system|EACCES|EPERM|EROFS"
_IS_REFUSED = re.compile(_REFUSED, re.IGNORECASE)
_PATHS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{_REFUSED})[^'\"]{{0,40}}['\"]([^'\"]+)['\"]",  # Python, Node
        rf"['\"]([^'\"]+)['\"][^'\"]{{0,40}}(?:{_REFUSED})",  # perl, ls
        rf"(\S+) \((?:{_REFUSED})\)",  # Java
        r"AccessDeniedException: (\S+)",  # Java
        rf"(?:open|create|mkdir|rename|unlink|stat) (\S+): (?:{_REFUSED})",  # Go, dash
        rf"(\S+): (?:{_REFUSED})",  # C, bash
    )
)
_NETWORK = re.compile(
    r"network is unreachable|address family not supported|\bsocket\b|SocketException|\bconnect (?:EPERM|EACCES)",
    re.IGNORECASE,
)
_STACK = 6
"""The most lines before an error that tell where it came from, if the error itself names no file."""
_HOME = re.compile(r"/arena-cell-[^/\s]*(/[^\s'\":,;()]+)")
"""A file of the scratch folder, which is HOME."""
_IS_MISSING = re.compile(r"not found|no such file or directory|ENOENT|NoSuchFile", re.IGNORECASE)
_LONGEST = 120
THE_NETWORK = "the network"


class Refusal(NamedTuple):
    """What was refused."""

    what: str
    """The file, as the engine named it; THE_NETWORK; empty where its stderr does not say."""
    line: str
    """The line that tells it."""
    in_home: bool = False
    """Whether it was looked for in the home folder, which is another one in games."""


def find(stderr: str) -> Refusal | None:
    """The last refusal that an engine's stderr tells of, None if there is none."""
    lines = stderr.splitlines()
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        network = _NETWORK.search(line)
        if network or _IS_REFUSED.search(line):
            named = next((match[1] for pattern in _PATHS if (match := pattern.search(line))), "")
            named = "" if _IS_REFUSED.search(named) else named.strip("\u2018\u2019")
            if network or (not named and any(map(_NETWORK.search, lines[max(0, at - _STACK) : at]))):
                named = THE_NETWORK
            return Refusal(named[:_LONGEST], line.strip())
        if _IS_MISSING.search(line) and (home := _HOME.search(line)):
            return Refusal(f"~{home[1]}"[:_LONGEST], line.strip(), in_home=True)
    return None


def sentence(refusal: Refusal, level: Level) -> str:
    """What the refusal means, for the author of the engine."""
    if refusal.in_home:
        return (
            f"your engine looked for `{refusal.what}` in its home folder; in games HOME is an empty scratch folder. "
            "Name a file, or an interpreter after `#!`, by its whole path, or put it beside the engine; "
            "CONTAINMENT.md tells more"
        )
    what = f"`{refusal.what}`" if refusal.what and refusal.what != THE_NETWORK else refusal.what
    tried = f"your engine tried to use {what}" if what else "your engine tried something"
    if level is Level.NONE:
        return f"{tried}, and the system refused it: see its stderr"
    if refusal.what == THE_NETWORK:
        return (
            f"{tried}; in games that is refused. `--contain none` checks it without containment; "
            "CONTAINMENT.md tells more"
        )
    return (
        f"{tried}; in games that is refused. A contained engine reads its own files and the system's, writes into its "
        "scratch folder (HOME, TMPDIR) only, and has no network. `--read PATH` lets it read more, `--contain none` "
        "checks it without containment; CONTAINMENT.md tells more"
    )
