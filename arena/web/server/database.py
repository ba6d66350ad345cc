"""The served database, read in a thread of its own, and what was made of it, kept until the database has changed.

The file may be deleted, replaced, or made while it is served. Nothing is written: neither to it nor to its folder.
"""

import asyncio
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from arena.web.pages.site import Site, read_site
from arena.web.pages.source import PageSource
from arena.web.privacy import Privacy
from results.store.files import StoreError
from results.store.store import Store

Made = TypeVar("Made")
MOST_KEPT = 60
"""The most pages that are kept, and the most of each kind of figures."""
MOST_RATING_LISTS = 6
"""The most rating lists that are kept: those of a large database take some megabytes."""
FRESH_S = 1.0
"""What was made less than this before is shown although the database has changed since."""
SHARE = 10
"""What took long is kept for so many times as long: changes cost at most this fraction of a CPU."""
LONGEST_S = 20.0
"""A page that takes longer is given up."""


class Unavailable(Exception):
    """There is no database to show now: one sentence."""


class _Kept(NamedTuple):
    version: tuple[int, int]
    is_whole: bool
    """Whether everything that it was made of was of this version."""
    made_at: float
    took: float
    value: object


class ServedDatabase:
    """A database and what was made of it. All methods but `ask` and `close` belong to its thread."""

    def __init__(self, path: Path, *, hide: bool, title: str | None = None, most_waiting: int = sys.maxsize) -> None:
        """`most_waiting` is how many questions may wait; the next one is refused."""
        self.path = path
        self._most_waiting = most_waiting
        self._hide = hide
        self._title = title
        self.play = self.guests = False
        """Whether the server has games with people, and guests of an open ladder."""
        self._thread = ThreadPoolExecutor(1, "database")
        self._store: Store | None = None
        self._opened = 0
        self._waiting = 0
        self._kept: dict[str, OrderedDict[Hashable, _Kept]] = {}
        """By their kind."""
        self._has_old = False
        """Whether what is being made uses something that was made of an older version."""

    async def ask(self, make: Callable[["ServedDatabase"], Made]) -> Made:
        """What `make` makes of the database, in its thread. Raises Unavailable and what `make` raises."""
        if self._waiting >= self._most_waiting:
            raise Unavailable("Too many such questions are asked at once. This page tries again.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._made, make)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Give the file back, after what is being made."""
        self._thread.submit(self._close)
        self._thread.shutdown(wait=True, cancel_futures=False)

    def _made(self, make: Callable[["ServedDatabase"], Made]) -> Made:
        self._check()
        self._has_old = False
        self.store.limit_time(LONGEST_S)
        return make(self)

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
        self._store = None
        self._kept.clear()

    def _check(self) -> None:
        """Have the file open that has the name now. Raises Unavailable."""
        if self._store is not None and self._store.still_there():
            return
        try:
            os.stat(self.path)
        except OSError as error:
            gone = self._opened > 0
            self._close()
            why = "is gone" if gone else "is not there yet"
            if not isinstance(error, FileNotFoundError):
                why = f"cannot be read ({error.strerror})"
            raise Unavailable(f"The database {self.path.name} {why}. This page shows it as soon as it can.") from None
        self._close()
        try:
            self._store = Store.open_existing(self.path, upgrade=False)
        except StoreError as error:
            raise Unavailable(self.sentence(error)) from None
        self._opened += 1

    def sentence(self, error: StoreError) -> str:
        """What is wrong, without the folder of the database."""
        text = str(error).replace(str(self.path), self.path.name)
        return Privacy(self._hide).text(text)

    # What follows is called within `ask`.

    @property
    def store(self) -> Store:
        """The open database."""
        assert self._store is not None, "the database is asked only where it is open"
        return self._store

    @property
    def version(self) -> tuple[int, int]:
        """A value that changes whenever the database does."""
        return self._opened, self.store.data_version()

    def kept(self, kind: str, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` makes, or what it made before if that is still true, or was made a moment ago."""
        version, now = self.version, time.monotonic()
        kept = self._kept.setdefault(kind, OrderedDict())
        before = kept.get(key)
        if before is not None and before.version[0] == version[0]:
            is_current = before.version == version and before.is_whole
            if is_current or now - before.made_at < max(FRESH_S, SHARE * before.took):
                self._has_old = self._has_old or not is_current
                kept.move_to_end(key)
                return cast(Made, before.value)
        outer, self._has_old = self._has_old, False
        value = make()
        kept[key] = _Kept(version, not self._has_old, time.monotonic(), time.monotonic() - now, value)
        self._has_old = outer or self._has_old
        kept.move_to_end(key)
        while len(kept) > (MOST_RATING_LISTS if kind == "rating_lists" else MOST_KEPT):
            kept.popitem(last=False)
        return value

    def forget(self) -> None:
        """Make everything anew that is asked for from now on."""
        self._kept.clear()

    @property
    def site(self) -> Site:
        """The frame of all pages."""
        make = partial(read_site, self.store, hide=self._hide, title=self._title, live=True)
        return self.kept("site", None, lambda: replace(make(), play=self.play, guests=self.guests))

    @property
    def source(self) -> PageSource:
        """What pages are made of."""
        return PageSource(self.store, self.site.privacy, kept=self.kept)


def frame_without(path: Path, *, hide: bool, title: str | None = None) -> Site:
    """The frame of a page that says why there is no database."""
    return Site(title or path.name, path.name, 0, (), (), Privacy(hide), live=True)
