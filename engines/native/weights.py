"""Files of weights: text with whole numbers, the first lines a comment after `#`."""

from collections.abc import Sequence
from pathlib import Path

from engines.native.kernel import KernelError

MOST = 32_767
"""The largest weight, either way."""


def read(path: Path) -> list[int]:
    """The weights of a file. Raises KernelError with a sentence that names it."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is no text"
        raise KernelError(f"{path} is not a file of weights: {reason}") from None
    weights = []
    for number, line in enumerate(lines, 1):
        for word in line.partition("#")[0].split():
            try:
                weight = int(word)
            except ValueError:
                weight = MOST + 1
            if abs(weight) > MOST:
                raise KernelError(f"{path}, line {number}: {word!r} is not a whole number from -{MOST} to {MOST}")
            weights.append(weight)
    return weights


def write(path: Path, weights: Sequence[int], comment: str) -> None:
    """Write a file of weights. Raises OSError."""
    lines = [" ".join(map(str, weights[at : at + 20])) for at in range(0, len(weights), 20)]
    path.write_text("\n".join([f"# {comment}", *lines]) + "\n", encoding="utf-8")
