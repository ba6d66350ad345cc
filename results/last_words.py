"""The line of an engine's stderr that says why it ended. Independent of who shows it."""

import re

MOST = 200
"""So many characters of the line are shown."""
_REASON = re.compile(r"^(\w+ )*[\w.:'\"() -]*(Error|Exception|Caused by|panicked at|panic:)(?!\w)")


def last_words(stderr: str) -> str:
    """The last line that names an error. Without one it is the last line; empty where nothing was said.

    Python names the error at the end. Node, Java and Go print the stack and more behind it, Rust its text.
    """
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    reasons = [number for number, line in enumerate(lines) if _REASON.search(line)]
    if not reasons:
        return lines[-1][:MOST] if lines else ""
    words = lines[reasons[-1]]
    if "panicked at" in words and reasons[-1] + 1 < len(lines):
        words += f" {lines[reasons[-1] + 1]}"
    return words[:MOST]
