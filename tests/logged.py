"""What is logged for the user."""

import contextlib
from collections.abc import Iterator

from arena.cli.output import SENTENCES


@contextlib.contextmanager
def logged() -> Iterator[list[str]]:
    """The sentences that are logged while the block runs."""
    sentences: list[str] = []
    with SENTENCES.printed_by(lambda sentence: sentences.append(sentence.removeprefix("arena: "))):
        yield sentences
