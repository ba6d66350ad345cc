"""Engines that travel: what becomes a symbol, what is shipped, what is refused, and the cache of a machine."""

import os
import shutil
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cluster import shipment
from arena.cluster.engine_cache import EngineCache
from arena.cluster.errors import ClusterError
from arena.cluster.shipment import MOST_BYTES, OURS, Packed, Shipment, ShippedFile, file_sha256, pack, unpack
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


def ship(packed: Packed, cache: EngineCache) -> None:
    """What an arena does where a machine lacks a shipment, in pieces of two bytes."""
    sent = packed.engine.shipment
    for file in sent.files:
        data = packed.sources[file.name].read_bytes()
        for offset in range(0, max(1, len(data)), 2):
            cache.write(sent.digest, file.name, offset, data[offset : offset + 2])
    cache.finish(sent)


def test_a_program_travels_with_the_files_of_its_command_line_and_its_options(engine: Path, tmp_path: Path) -> None:
    """They stand beside each other there as here, can be run, and no path of this machine is left."""
    net = engine / "nets" / "a.bin"
    fox = replace(spec(engine / "fox", f"--net={net}", "--fast"), options={"Book": str(net)}, files=(str(net),))
    packed, cache = pack(fox), EngineCache(tmp_path / "there")
    assert str(engine) not in repr(packed.engine)
    assert not cache.has(packed.engine.shipment)
    ship(packed, cache)
    there = unpack(packed.engine, cache.path)
    folder = cache.path(packed.engine.shipment.digest)
    assert there.command == (f"{folder}/fox", f"--net={folder}/nets/a.bin", "--fast")
    assert there.options == {"Book": f"{folder}/nets/a.bin"}
    assert os.access(folder / "fox", os.X_OK) and oct((folder / "fox").stat().st_mode)[-3:] == "755"
    assert there.sandbox.reads == (str(folder),)
    assert [path.name for path in (tmp_path / "there").iterdir()] == [folder.name]


def test_python_and_interpreters_of_the_path_are_those_of_the_machine(engine: Path) -> None:
    """Only their scripts travel. A program of the PATH that runs nothing else travels itself."""
    ours = replace(spec(sys.executable, "-P", "-m", "engines.random"), sandbox=SandboxPolicy(reads=(str(OURS),)))
    packed = pack(ours)
    assert packed.engine.spec.command == ("{python}", "-P", "-m", "engines.random") and not packed.sources
    assert unpack(packed.engine, Path).command == ours.command
    assert unpack(packed.engine, Path).sandbox.reads == (str(OURS),)
    shell = shutil.which("sh") or ""
    packed = pack(spec(shell, engine / "fox"))
    assert packed.engine.spec.command[0] == "{program:sh}" and list(packed.sources) == ["fox"]
    assert unpack(packed.engine, Path).command[0] == shell
    assert list(pack(spec(shell)).sources) == ["sh"]


def test_a_machine_without_the_interpreter_says_so(engine: Path) -> None:
    """By the name of the program, not by a path of another machine."""
    packed = pack(spec(shutil.which("sh") or "", engine / "fox"))
    there = replace(packed.engine, spec=replace(packed.engine.spec, command=("{program:no-such-java}", "x")))
    with pytest.raises(ClusterError, match="engine 'fox': there is no program 'no-such-java' on the PATH"):
        unpack(there, Path)


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
    (cache.path(packed.engine.shipment.digest) / "fox").write_bytes(b"another")
    assert not cache.has(packed.engine.shipment)
    ship(packed, cache)
    assert cache.has(packed.engine.shipment)


def test_a_file_that_came_broken_is_never_put_in_place(engine: Path, tmp_path: Path) -> None:
    """Nor is what was written of it left over."""
    packed, cache = pack(spec(engine / "fox")), EngineCache(tmp_path / "there")
    digest = packed.engine.shipment.digest
    cache.write(digest, "fox", 0, b"half")
    with pytest.raises(ClusterError, match="fox changed on its way"):
        cache.finish(packed.engine.shipment)
    assert list((tmp_path / "there").iterdir()) == []


@pytest.mark.parametrize("name", ["../fox", "/fox", "a/../../fox", "", ".", "fox\0"])
def test_a_name_that_leads_out_of_its_folder_is_refused(name: str, engine: Path, tmp_path: Path) -> None:
    """While the file is written, and while the shipment is put in its place: nothing elsewhere is changed."""
    cache, outside = EngineCache(tmp_path / "there"), engine / "fox"
    with pytest.raises(ClusterError, match="leads out of its folder"):
        cache.write("ab" * 32, name, 0, b"")
    for place in (name, str(outside)):
        hostile = Shipment((ShippedFile(place, file_sha256(outside), 1, False),))
        cache.write(hostile.digest, "fox", 0, b"")
        with pytest.raises(ClusterError, match="leads out of its folder"):
            cache.finish(hostile)
    assert stat.S_IMODE(outside.stat().st_mode) == 0o700


@pytest.mark.parametrize("offset", [-1, MOST_BYTES, 1 << 62])
def test_a_file_that_is_too_large_is_refused_before_it_takes_room(offset: int, tmp_path: Path) -> None:
    """A piece far behind the end would do it, and one before the beginning is none."""
    cache = EngineCache(tmp_path / "there")
    with pytest.raises(ClusterError, match="larger than 256 MB"):
        cache.write("ab" * 32, "fox", offset, b"x")
    assert not (tmp_path / "there").exists()


def test_a_shipment_holds_its_own_files_and_no_others(engine: Path, tmp_path: Path) -> None:
    """A file that nobody has hashed could be read by an engine of another run. One without any file is none."""
    packed, cache = pack(spec(engine / "fox")), EngineCache(tmp_path / "there")
    cache.write(packed.engine.shipment.digest, "fox.ini", 0, b"")
    with pytest.raises(ClusterError, match=r"fox\.ini came to this machine and is no file of its shipment"):
        ship(packed, cache)
    with pytest.raises(ClusterError, match="no file of this shipment has come"):
        cache.finish(packed.engine.shipment)
    assert list((tmp_path / "there").iterdir()) == []


@pytest.mark.timeout(20)
def test_a_device_or_a_pipe_is_neither_shipped_nor_waited_for(engine: Path, tmp_path: Path) -> None:
    """They never end. On a machine an engine may have put one in the place of its own file."""
    os.mkfifo(engine / "pipe")
    for strange in ("/dev/zero", str(engine / "pipe")):
        with pytest.raises(ClusterError, match="cannot be read: is no file"):
            pack(replace(spec(engine / "fox"), files=(strange,)))
    packed, cache = pack(spec(engine / "fox")), EngineCache(tmp_path / "there")
    ship(packed, cache)
    there = cache.path(packed.engine.shipment.digest) / "fox"
    there.unlink()
    os.mkfifo(there)
    assert not cache.has(packed.engine.shipment)
    ship(packed, cache)
    assert there.is_file()


def test_two_runs_may_ship_the_same_engine_at_once(engine: Path, tmp_path: Path) -> None:
    """The second one finds it in its place and is content."""
    packed = pack(spec(engine / "fox"))
    one, two = EngineCache(tmp_path / "there"), EngineCache(tmp_path / "there")
    digest, data = packed.engine.shipment.digest, (engine / "fox").read_bytes()
    for cache in (one, two):
        cache.write(digest, "fox", 0, data)
    for cache in (one, two):
        cache.finish(packed.engine.shipment)
        assert cache.has(packed.engine.shipment)
    assert [path.name for path in (tmp_path / "there").iterdir()] == [digest]


def test_what_killed_machines_left_of_a_shipment_is_removed_and_no_part_of_a_living_one(tmp_path: Path) -> None:
    """A process that is killed removes nothing. The next one that has the cache for itself does."""
    cache, living = EngineCache(tmp_path), EngineCache(tmp_path)
    cache.write("ab" * 32, "fox", 0, b"half an engine")
    with living.in_use():
        assert not list(tmp_path.rglob("fox"))
        living.write("cd" * 32, "owl", 0, b"half an engine")
        with EngineCache(tmp_path).in_use():
            assert list(tmp_path.rglob("owl"))


def test_a_machine_removes_what_killed_machines_left_when_it_joins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it waits for its meeting point."""
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    from arena.cluster import serving
    from arena.cluster.access import access

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    EngineCache().write("ab" * 32, "fox", 0, b"half an engine")
    assert list(tmp_path.rglob("fox"))
    monkeypatch.setattr(serving, "_run", lambda program: program.close())
    serving.run_machine(access("localhost", None, role="server"), 1, print)
    assert not list(tmp_path.rglob("fox"))
