"""Attacks on files: creating, reading and filling them, and replacing the engine's own."""

import os
import stat
import tempfile

from tests.zoo.faults.fault import Faulty, HostileFault, refusal

_MB = 1 << 20


class WritesFile(HostileFault):
    """Makes the file --path, which must not be there yet."""

    needs = ("path",)

    def attack(self) -> str:
        path = _path(self)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, b"the zoo was here\n")
        finally:
            os.close(fd)
        return path


class ReadsFile(HostileFault):
    """Opens the file --path, reads a byte of it and forgets it."""

    needs = ("path",)

    def attack(self) -> str:
        path = _path(self)
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            os.read(fd, 1)
        finally:
            os.close(fd)
        return path


class FillsScratch(HostileFault):
    """Writes --limit MB, 64 unless told otherwise, into a nameless file in --path, else where temporary files go."""

    limit = 64
    limit_most = 1_024

    def attack(self) -> str:
        # The file has no name, so its space is free again when the process ends in any way.
        written = 0
        self.kept = tempfile.TemporaryFile(dir=self.settings.path, buffering=0)
        try:
            for _ in range(self.amount):
                self.kept.write(b"\0" * _MB)
                written += 1
        except OSError as error:
            raise OSError(f"{refusal('write', error)} after {written} MB") from None
        return f"{written} MB"


class RemovesItself(HostileFault):
    """Removes the file --path, which is meant to be the copy of an engine that is running."""

    needs = ("path",)

    def attack(self) -> str:
        path = _regular(_path(self))
        os.unlink(path)
        return path


class ReplacesItself(HostileFault):
    """Puts another file in the place of the file --path, which is meant to be the copy of an engine that is running."""

    needs = ("path",)

    def attack(self) -> str:
        path = _regular(_path(self))
        fd, other = tempfile.mkstemp(dir=os.path.dirname(path) or ".")
        try:
            os.write(fd, b"#!/bin/sh\nexit 1\n")
            os.fchmod(fd, stat.S_IMODE(os.stat(path).st_mode))
            os.replace(other, path)
        except OSError:
            os.unlink(other)
            raise
        finally:
            os.close(fd)
        return path


def _path(fault: Faulty) -> str:
    path = fault.settings.path
    assert path is not None
    return path


def _regular(path: str) -> str:
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError(f"{path} is no regular file")
    return path
