"""Engines that travel: what becomes a symbol, what is shipped, what is refused, and the cache of a machine."""

import errno
import os
import shutil
import stat
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from arena.cluster import shipment
from arena.cluster.errors import ClusterError
from arena.cluster.shipment import OURS, EngineCache, PackedEngine, pack, unpack
from arena.play.jobs import EngineSpec
from protocol.containment.policy import SandboxPolicy


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """A program of one's own, with a net beside it."""
    folder = tmp_path / "here"
    (folder / "nets").mkdir(parents=True)
    (folder / "fox").write_bytes(b"#!/bin/sh\n")
    (folder / "fox").chmod(0o700)
    (folder / "nets" / "a.bin").write_bytes(b"net")
    return folder


def spec(*command: str | Path) -> EngineSpec:
    return EngineSpec("fox", tuple(map(str, command)))


def ship(packed: PackedEngine, cache: EngineCache) -> None:
    """What an arena does if a machine lacks files."""
    for file in cache.lacks(packed):
        cache.put(packed.digest, file, Path(file.path).read_bytes())


def test_a_program_travels_with_the_files_of_its_command_line_and_its_options(engine: Path, tmp_path: Path) -> None:
    """They stand beside each other there as here, can be run, and the paths are those of the machine."""
    net = engine / "nets" / "a.bin"
    fox = replace(spec(engine / "fox", f"--net={net}", "--fast"), options={"Book": str(net)}, files=(str(net),))
    packed, cache = pack(fox), EngineCache(tmp_path / "there")
    assert len(cache.lacks(packed)) == 2
    ship(packed, cache)
    there, folder = unpack(packed, cache), f"{cache.folder(packed.digest)}{engine}"
    assert there.command == (f"{folder}/fox", f"--net={folder}/nets/a.bin", "--fast")
    assert there.options == {"Book": f"{folder}/nets/a.bin"}
    assert stat.S_IMODE((Path(folder) / "fox").stat().st_mode) == 0o755
    assert there.sandbox.reads == (str(cache.folder(packed.digest)),)
    assert not cache.lacks(packed)


def test_python_and_interpreters_of_the_path_are_those_of_the_machine(engine: Path, tmp_path: Path) -> None:
    """Only their scripts travel. A program of the PATH that runs nothing else travels itself."""
    cache = EngineCache(tmp_path)
    ours = replace(spec(sys.executable, "-P", "-m", "engines.random"), sandbox=SandboxPolicy(reads=(str(OURS),)))
    packed = pack(ours)
    assert packed.spec.command == ("{python}", "-P", "-m", "engines.random") and not packed.files
    assert unpack(packed, cache).command == ours.command
    assert unpack(packed, cache).sandbox.reads == (str(OURS),)
    shell = shutil.which("sh") or ""
    packed = pack(spec(shell, engine / "fox"))
    assert packed.spec.command[0] == "sh" and [file.path for file in packed.files] == [str(engine / "fox")]
    assert unpack(packed, cache).command[0] == shell
    assert [file.path for file in pack(spec(shell)).files] == [shell]


def test_a_machine_without_the_interpreter_says_so(engine: Path, tmp_path: Path) -> None:
    """By the name of the program, not by a path of another machine."""
    packed = pack(spec(shutil.which("sh") or "", engine / "fox"))
    there = replace(packed, spec=replace(packed.spec, command=("no-such-java", "x")))
    with pytest.raises(ClusterError, match="engine 'fox': there is no program 'no-such-java' on the PATH"):
        unpack(there, EngineCache(tmp_path))


def test_a_program_that_is_not_on_the_path_is_not_taken_from_the_folder(
    engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name without a path means the same as in a run on this machine."""
    monkeypatch.chdir(engine)
    with pytest.raises(ClusterError, match="engine 'fox': there is no program 'fox' on the PATH"):
        pack(spec("fox"))


def test_what_means_a_place_on_this_machine_is_refused(engine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders, working directories, granted paths, variables with paths, traces, and files that are too large."""
    fox = spec(engine / "fox")
    refused = {
        "names the folder": spec(engine / "fox", engine / "nets"),
        "its working directory": replace(fox, sandbox=SandboxPolicy(directory=str(engine))),
        "it may read": replace(fox, sandbox=SandboxPolicy(reads=(str(engine),))),
        "its variable PYTHONPATH names": replace(fox, sandbox=SandboxPolicy(environment={"PYTHONPATH": str(engine)})),
        "--trace": replace(fox, trace=str(engine)),
    }
    for sentence, each in refused.items():
        with pytest.raises(ClusterError, match=sentence):
            pack(each)
    monkeypatch.setattr(shipment, "MOST_BYTES", 4)
    with pytest.raises(ClusterError, match="larger than"):
        pack(fox)


def test_a_shipped_file_that_was_changed_is_shipped_again(engine: Path, tmp_path: Path) -> None:
    """The cache is not trusted: each file is hashed before a run."""
    packed, cache = pack(spec(engine / "fox")), EngineCache(tmp_path / "there")
    ship(packed, cache)
    Path(unpack(packed, cache).command[0]).write_bytes(b"another")
    assert cache.lacks(packed)
    ship(packed, cache)
    assert not cache.lacks(packed)


def test_a_file_that_came_broken_or_leads_out_of_its_folder_is_never_put_in_place(
    engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written, here or elsewhere, and a full disk leaves nothing."""
    packed, cache = pack(spec(engine / "fox")), EngineCache(tmp_path / "there")
    (file,) = packed.files
    with pytest.raises(ClusterError, match="fox is too large, or changed on its way"):
        cache.put(packed.digest, file, b"half")
    data = (engine / "fox").read_bytes()
    for name in ("../fox", "/../fox", "a/../../fox", "", ".", "fox\0"):
        with pytest.raises(ClusterError, match="leads out of its folder"):
            cache.put(packed.digest, replace(file, path=name), data)
    assert not (tmp_path / "there").exists()
    monkeypatch.setattr(os, "replace", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        cache.put(packed.digest, file, data)
    assert not [path for path in (tmp_path / "there").rglob("*") if path.is_file()]


@pytest.mark.timeout(20)
def test_a_device_or_a_pipe_is_neither_shipped_nor_waited_for(engine: Path, tmp_path: Path) -> None:
    """They never end. On a machine an engine may have put one in the place of its own file."""
    os.mkfifo(engine / "pipe")
    for strange in ("/dev/zero", str(engine / "pipe")):
        with pytest.raises(ClusterError, match="cannot be read: is not a file"):
            pack(replace(spec(engine / "fox"), files=(strange,)))
    packed, cache = pack(spec(engine / "fox")), EngineCache(tmp_path / "there")
    ship(packed, cache)
    there = Path(unpack(packed, cache).command[0])
    there.unlink()
    os.mkfifo(there)
    assert cache.lacks(packed)
    ship(packed, cache)
    assert there.is_file()
