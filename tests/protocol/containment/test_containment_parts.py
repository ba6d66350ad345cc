"""The parts of a sandbox by themselves: paths, caps, the filter's program, the probe's verdicts."""

import errno
import os
import re
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from protocol.containment.probe import CannotContain, Part, in_force, require, shortfall
from protocol.containment.usage_caps import MAPPED_DELETED, MAPPINGS, SCRATCH_FILES, UsageCaps
from protocol.containment.watchdog import Watchdog

from protocol.containment import paths, probe, process_tree, scratch, seccomp
from protocol.containment.policy import Caps, Level, SandboxPolicy
from protocol.faults import CannotStart
from results.store.store import Store
from tests.running import running

ALLOW = 0x7FFF0000
REFUSED = 0x00050000
X86, ARM = 0xC000003E, 0xC00000B7


def answer(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What the kernel would be told about a call: a small machine for the six instructions that filters use."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *(arguments + (0,) * 6)[:6])
    steps = list(struct.iter_unpack("=HBBI", program))
    accumulator = at = 0
    while True:
        code, yes, no, operand = steps[at]
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("=I", data, operand)[0]
        elif code == 0x54:
            accumulator &= operand
        elif code == 0x06:
            return int(operand)
        else:
            holds = {
                0x15: accumulator == operand,
                0x35: accumulator >= operand,
                0x45: bool(accumulator & operand),
            }[code]
            at += yes if holds else no


@pytest.mark.parametrize(
    ("machine", "architecture", "number"),
    [
        (
            "x86_64",
            X86,
            {"read": 0, "ptrace": 101, "socket": 41, "clone": 56, "clone3": 435, "ioctl": 16, "affinity": 203}
            | {"prlimit": 302, "setrlimit": 160, "fcntl": 72, "prctl": 157, "io_setup": 206, "inotify": 294},
        ),
        (
            "aarch64",
            ARM,
            {"read": 63, "ptrace": 117, "socket": 198, "clone": 220, "clone3": 435, "ioctl": 29, "affinity": 122}
            | {"prlimit": 261, "setrlimit": 164, "fcntl": 25, "prctl": 167, "io_setup": 0, "inotify": 26},
        ),
    ],
)
def test_the_filter_refuses_and_allows(machine: str, architecture: int, number: dict[str, int]) -> None:
    """On both architectures: plain calls pass, dangerous ones do not, and some depend on their argument."""
    basic, strict = (seccomp.program(machine, strict=strict) for strict in (False, True))
    for program in (basic, strict):
        assert answer(program, architecture, number["read"]) == ALLOW
        assert answer(program, architecture, number["ptrace"]) == REFUSED | errno.EPERM
        assert answer(program, architecture, number["clone3"]) == REFUSED | errno.ENOSYS
        assert answer(program, architecture, number["clone"], 17) == ALLOW
        assert answer(program, architecture, number["clone"], 0x3D0F00) == ALLOW, "a thread"
        assert answer(program, architecture, number["clone"], 0x10000000 | 17) == REFUSED | errno.EPERM
        assert answer(program, architecture, number["clone"], 0x10900) == REFUSED | errno.EPERM, "files of its own"
        assert answer(program, architecture, 436, 3, 9, 4) == ALLOW, "close_range"
        assert answer(program, architecture, 436, 3, 9, 2) == REFUSED | errno.EPERM
        for call in ("io_setup", "inotify"):
            assert answer(program, architecture, number[call]) == REFUSED | errno.ENOSYS, call
        flags = (0x100, 0x400, 0x500, 0x10100, 0x4400, 17, 0x4111, 0x4011, 0x3D0F00)
        answers = [answer(program, architecture, number["clone"], each) for each in flags]
        assert answers == [REFUSED | errno.EPERM] * 5 + [ALLOW] * 4, "memory or files shared by processes"
        assert answer(program, architecture, 444) == REFUSED | errno.ENOSYS, "landlock_create_ruleset"
        allowed = [
            command for command in range(1100) if answer(program, architecture, number["fcntl"], 3, command) == ALLOW
        ]
        assert allowed == [*range(36), *range(39, 1024), 1025, *range(1027, 1036)]
        # PR_SET_PDEATHSIG: SIGKILL is what it has.
        answers = [answer(program, architecture, number["prctl"], 1, which) for which in (0, 9, 15)]
        assert answers == [REFUSED | errno.EPERM, ALLOW, REFUSED | errno.EPERM]
        assert answer(program, architecture, number["ioctl"], 0, 0x5401) == ALLOW
        for command in (0x5412, 0x5423):  # TIOCSTI, TIOCSETD
            assert answer(program, architecture, number["ioctl"], 0, command) == REFUSED | errno.EPERM
        assert answer(program, architecture, number["socket"], 2) == REFUSED | errno.EACCES
        assert answer(program, 0x40000003, number["read"]) == 0x80000000, "a 32-bit program"
        assert answer(program, architecture, 0x40000000) == REFUSED | errno.ENOSYS
        for limit in (5, 10):  # RLIMIT_RSS, RLIMIT_LOCKS
            for new in (1, 1 << 32):
                assert answer(program, architecture, number["prlimit"], 0, limit, new) == REFUSED | errno.EPERM
            assert answer(program, architecture, number["prlimit"], 0, limit, 0) == ALLOW, "it is only read"
            assert answer(program, architecture, number["setrlimit"], limit) == REFUSED | errno.EPERM
        # RLIMIT_CORE: its own stays though it is told otherwise.
        answers = [answer(program, architecture, number["prlimit"], pid, 4, new) for pid in (0, 9) for new in (1, 0)]
        assert answers[0] == REFUSED == answer(program, architecture, number["setrlimit"], 4) and answers[1] == ALLOW
        assert answers[2] == REFUSED | errno.EPERM
        assert answer(program, architecture, number["prlimit"], 0, 7, 1) == ALLOW
        assert answer(program, architecture, number["setrlimit"], 7) == ALLOW
    assert answer(basic, architecture, number["socket"], 1) == REFUSED | errno.EACCES
    assert answer(strict, architecture, number["socket"], 1) == ALLOW
    assert answer(strict, architecture, number["affinity"]) == REFUSED | errno.EPERM


@pytest.mark.parametrize(
    ("machine", "architecture", "number"),
    [
        (
            "x86_64",
            X86,
            {"prlimit": 302, "affinity": 203, "priority": 141, "ioprio": 251, "ioctl": 16, "prctl": 157}
            | {"setsockopt": 54},
        ),
        (
            "aarch64",
            ARM,
            {"prlimit": 261, "affinity": 122, "priority": 140, "ioprio": 30, "ioctl": 29, "prctl": 167}
            | {"setsockopt": 208},
        ),
    ],
)
def test_calls_on_a_process_reach_the_engines_own(machine: str, architecture: int, number: dict[str, int]) -> None:
    """In basic 0 and the engine's pid pass, other pids and all processes of a user do not. Strict needs no rule."""
    basic, strict = (seccomp.program(machine, strict=strict) for strict in (False, True))
    own, other, refused = seccomp.OWN_PID, 4711, REFUSED | errno.EPERM
    assert len(seccomp.places_of_own_pid(basic)) == 7 and not seccomp.places_of_own_pid(strict)
    for call in ("prlimit", "affinity"):
        answers = [answer(basic, architecture, number[call], pid) for pid in (0, own, other)]
        assert answers == [ALLOW, ALLOW, refused], call
    for call, one, all_of_a_user in (("priority", 0, 2), ("ioprio", 1, 3)):
        answers = [answer(basic, architecture, number[call], one, pid) for pid in (0, own, other)]
        assert answers == [ALLOW, ALLOW, refused], call
        assert answer(basic, architecture, number[call], all_of_a_user, 0) == refused
        assert answer(strict, architecture, number[call], one, other) == ALLOW
    for program in (basic, strict):
        # FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, BTRFS_IOC_SNAP_CREATE, and FIONREAD, which is no file system's.
        answers = [answer(program, architecture, number["ioctl"], 3, it) for it in (0x40086602, 0x401C5820, 0x50009401)]
        assert answers == [REFUSED | errno.ENOTTY] * 3
        assert answer(program, architecture, number["ioctl"], 3, 0x541B) == ALLOW
        assert answer(program, architecture, number["prctl"], 62) == refused, "a core of its own"
        assert answer(program, architecture, number["prctl"], 22) == refused, "a filter"
        assert answer(program, architecture, number["setsockopt"], 3, 1, 26) == refused, "a filter of a socket"
        assert answer(program, architecture, number["setsockopt"], 3, 1, 7) == ALLOW
        assert answer(program, architecture, number["prctl"], 4) == refused, "files in /proc that nobody may read"
        assert answer(program, architecture, number["prctl"], 15) == ALLOW, "the name of a thread"


@pytest.mark.parametrize(
    ("header", "column"),
    [("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", 0), ("/usr/include/asm-generic/unistd.h", 1)],
)
def test_the_numbers_of_system_calls_are_the_kernels(header: str, column: int) -> None:
    """Every number of the tables is the one in the headers of the system."""
    if not os.path.exists(header):
        pytest.skip(f"there is no {header}")
    known = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text()))
    tables = seccomp._NUMBERS | seccomp._UNKNOWN | seccomp._BASIC | seccomp._STRICT
    tables |= {name: numbers for name, (numbers, *_) in seccomp._ON_A_PROCESS.items()}
    tables |= {"socket": seccomp._SOCKET, "clone": seccomp._CLONE, "ioctl": seccomp._IOCTL, "prctl": seccomp._PRCTL}
    tables |= {"setrlimit": seccomp._SETRLIMIT, "prlimit64": seccomp._PRLIMIT}
    tables |= {"fcntl": seccomp._FCNTL, "close_range": seccomp._CLOSE_RANGE, "setsockopt": seccomp._SETSOCKOPT}
    wrong = {name for name, numbers in tables.items() if name in known and int(known[name]) != numbers[column]}
    assert not wrong and len(tables.keys() & known.keys()) > 40


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory and, beside it, a temporary directory."""
    (tmp_path / "me").mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    return tmp_path / "me"


def program(path: Path, text: str = "") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_an_engine_reads_its_own_folder(home: Path) -> None:
    """What lies beside the executable, as its opening book does, may be read; the folder above may not."""
    engine = program(home / "engines" / "tafl" / "engine")
    found = paths.readable(engine, [engine], None, ())
    assert str(home / "engines" / "tafl") in found
    assert str(home / "engines") not in found and str(home) not in found


def test_an_engine_loose_in_the_home_directory_reads_itself_alone(home: Path) -> None:
    """Neither the home nor the temporary directory is granted because a program lies in it."""
    for folder in (home, home.parent / "temporary"):
        engine = program(folder / "engine")
        found = paths.readable(engine, [engine, str(folder), "/", "~"], None, ())
        assert engine in found and str(folder) not in found and "/" not in found


def test_bare_words_of_a_command_name_no_folders(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder `random` where we happen to be is not granted by `engine random`; `./random` names it."""
    (home / "random").mkdir()
    monkeypatch.chdir(home)
    engine = program(home / "engines" / "engine")
    assert str(home / "random") not in paths.readable(engine, [engine, "random"], None, ())
    assert str(home / "random") in paths.readable(engine, [engine, "./random"], None, ())


def test_a_virtual_environment_brings_its_interpreter(home: Path) -> None:
    """A script of a virtual environment reads the environment's libraries and those of the Python it was made of."""
    base = program(home / "pythons" / "3.13" / "bin" / "python3")
    (home / "pythons" / "3.13" / "lib").mkdir()
    environment = home / "venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "lib").mkdir()
    (environment / "bin" / "python").symlink_to(base)
    (environment / "pyvenv.cfg").write_text(f"home = {home / 'pythons' / '3.13' / 'bin'}\n")
    script = program(home / "engine" / "play", f"#!{environment / 'bin' / 'python'}\n")
    found = paths.readable(script, [script], None, ())
    wanted = {environment / "bin", environment / "lib", environment / "pyvenv.cfg", home / "pythons" / "3.13" / "lib"}
    assert {str(path) for path in wanted} <= set(found)


def test_env_brings_what_the_program_that_it_starts_needs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`env -i PATH=... ./play` reads the interpreter of `play`, also that of pyenv behind `#!/usr/bin/env python3`."""
    shim = program(home / ".pyenv" / "shims" / "python3")
    script = program(home / "engine" / "play", "#!/usr/bin/env python3\n")
    monkeypatch.setenv("PATH", os.path.dirname(shim))
    argv = ["env", "-i", f"PATH={os.path.dirname(shim)}", "A=b", script]
    wanted = {os.path.dirname(script), str(home / ".pyenv")}
    assert wanted <= set(paths.readable("/usr/bin/env", argv, None, ()))
    assert {script, shim} <= set(paths.needed("/usr/bin/env", argv, None, ()))
    assert not wanted & set(paths.readable("/usr/bin/true", ["true", "-i"], None, ()))


def member(pid: int, resident_mb: int = 1, threads: int = 1, dead: bool = False) -> process_tree.ProcessInfo:
    return process_tree.ProcessInfo(pid, 0, 1, 1, threads, resident_mb << 20, 0, dead, False, pid)


def test_caps_count_all_processes_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory, processes and threads are summed over the tree. The sandbox itself does not count, nor a few zombies."""
    monkeypatch.setattr(process_tree, "proportional_memory", lambda pid: None)
    caps = Caps(memory_mb=100, processes=3, threads=8)
    within = [member(1, 40, 3), member(2, 40, 3), member(3, 20, 3), member(4, 0, 0), member(5, 900, dead=True)]
    assert UsageCaps(caps, str(tmp_path), 1).exceeded(within) is None
    assert "processes" in (UsageCaps(caps, str(tmp_path), 0).exceeded(within) or "")
    assert "threads" in (UsageCaps(caps, str(tmp_path), 0).exceeded([member(1, 1, 9)]) or "")
    assert "used 101 MB" in (UsageCaps(caps, str(tmp_path), 0).exceeded([member(1, 60), member(2, 41)]) or "")
    zombies = [member(pid, dead=True) for pid in range(2, 8)]
    assert "more than 6 processes, with ended ones" in str(
        UsageCaps(caps, str(tmp_path), 0).exceeded([member(1), *zombies])
    )
    assert UsageCaps(caps, str(tmp_path), 1).exceeded([member(1), *zombies]) is None
    none = Caps(None, None, None, None)
    assert UsageCaps(none, str(tmp_path), 0).exceeded([member(pid, 9_000, 99) for pid in range(99)]) is None


def test_shared_pages_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forks may share memory beyond the cap's sum. They are not measured again while the sum does not grow."""
    asked = []

    def share(pid: int) -> int:
        asked.append(pid)
        return 30 << 20

    monkeypatch.setattr(process_tree, "proportional_memory", share)
    meter = UsageCaps(Caps(memory_mb=100), str(tmp_path), 0)
    for _ in range(3):
        assert meter.exceeded([member(1, 80), member(2, 80)]) is None
    assert asked == [1, 2]
    hidden = process_tree.HiddenMemory(50 << 20, 0, {}, frozenset(), 9)
    monkeypatch.setattr(process_tree, "hidden_memory", lambda pid: hidden)
    over = meter.exceeded([member(1, 80)._replace(virtual=1 << 40), member(2, 80)])
    assert over is not None and "used 160 MB" in over and asked == [1, 2], "60 MB that they share, and 100 MB"
    monkeypatch.undo()
    monkeypatch.setattr(process_tree, "proportional_memory", share)
    assert meter.exceeded([member(1, 80), member(2, 90)]) is None and len(asked) == 4


def test_a_scratch_is_capped(tmp_path: Path) -> None:
    """Many files, or much in them, exceed the cap of the disk."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "large").write_bytes(b"x" * (3 << 20))
    looks = [UsageCaps(Caps(disk_mb=2), str(tmp_path), 0)] * 20
    assert [meter.exceeded([]) for meter in looks][-1] == "was ended: its files took 3 MB, its cap is 2 MB"
    for number in range(SCRATCH_FILES):
        os.link(tmp_path / "inner" / "large", tmp_path / str(number))
    meter = UsageCaps(Caps(), str(tmp_path), 0)
    assert "more than 4000 files" in str([meter.exceeded([]) for _ in range(20)][-1])


def test_folders_that_cannot_be_counted_are_an_offence(tmp_path: Path) -> None:
    """Folders so deep that their paths are too long end the engine, as do more files than are counted."""
    at = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=at)
        below = os.open("d" * 250, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)
    meter = UsageCaps(Caps(), str(tmp_path), 0)
    assert "folders that lie too deep" in str([meter.exceeded([]) for _ in range(20)][-1])
    scratch.remove(str(tmp_path))


def test_deleted_files_that_are_only_mapped_are_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their sizes cannot be read, so their number is capped."""
    for count, offence in ((MAPPED_DELETED, False), (MAPPED_DELETED + 1, True)):
        names = frozenset(str(number).encode() for number in range(count))
        hidden = process_tree.HiddenMemory(0, 0, {}, names, 0)
        monkeypatch.setattr(process_tree, "hidden_memory", lambda pid, hidden=hidden: hidden)
        meter = UsageCaps(Caps(), str(tmp_path), 0)
        assert any("mapped more than" in str(meter.exceeded([member(1)])) for _ in range(20)) == offence


def test_many_mappings_are_an_offence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mappings are memory of the kernel. The more there are, the less often they are read; too many end the engine."""
    asked: list[int] = []

    def find(pid: int) -> process_tree.HiddenMemory:
        asked.append(pid)
        return process_tree.HiddenMemory(0, 0, {}, frozenset(), MAPPINGS // 2)

    monkeypatch.setattr(process_tree, "hidden_memory", find)
    living = [member(pid)._replace(virtual=1 << 40) for pid in (1, 2, 3)]
    meter = UsageCaps(Caps(disk_mb=None), str(tmp_path), 0)
    assert [meter.exceeded(living[:2]) for _ in range(20)] == [None] * 20 and asked == [1, 2]
    assert f"more than {MAPPINGS} mappings" in str(UsageCaps(Caps(), str(tmp_path), 0).exceeded(living))


def test_a_small_address_space_hides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing more is read of an engine that cannot hold more than its cap; of another, all that it may hide counts."""
    hidden = process_tree.HiddenMemory(30 << 20, 10 << 20, {b"1": 50 << 20}, frozenset(), 9)
    asked: list[int] = []

    def find(pid: int) -> process_tree.HiddenMemory:
        asked.append(pid)
        return hidden

    monkeypatch.setattr(process_tree, "hidden_memory", find)
    meter = UsageCaps(Caps(memory_mb=100, disk_mb=None), str(tmp_path), 0)
    small, large = (member(1, 40)._replace(virtual=size << 20) for size in (100, 101))
    assert [meter.exceeded([small]) for _ in range(8)] == [None] * 8 and not asked
    assert "used 110 MB" in str(meter.exceeded([large]))
    meter = UsageCaps(Caps(memory_mb=110, disk_mb=None), str(tmp_path), 0)
    large = large._replace(virtual=111 << 20)
    asked.clear()
    assert [meter.exceeded([large]) for _ in range(8)] == [None] * 8 and len(asked) == 2


def test_shared_memory_of_a_process_is_read() -> None:
    """Our own share of memory is more than nothing and no more than what is resident."""
    share = process_tree.proportional_memory(os.getpid())
    if share is None:
        pytest.skip("this kernel has no smaps_rollup")
    seen = process_tree.read_process(os.getpid())
    assert seen is not None and 1 << 20 < share < seen.resident * 1.5


def test_a_process_that_has_just_ended_hides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The open files of a zombie are closed to an ordinary user; those of a living process should not be."""

    def refuse(path: str) -> list[str]:
        raise PermissionError(path)

    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as living:
        monkeypatch.setattr(os, "listdir", refuse)
        with pytest.raises(process_tree.Uncountable, match="hides its open files"):
            process_tree.open_files(living.pid, 100)
        living.kill()
        os.waitid(os.P_PID, living.pid, os.WEXITED | os.WNOWAIT)
        assert process_tree.open_files(living.pid, 100) == (0, {}, set())


MISSING = (Part("files", True, "", ""), Part("tcp", False, "an engine is not kept from TCP connections", "it needs X"))


def test_what_is_missing_is_refused_or_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default basic warns about missing parts; requested explicitly it refuses, as strict always does."""
    monkeypatch.setattr(probe, "probe", lambda level, on_start, loopback: MISSING)
    parts = require(Level.BASIC, explicit=False)
    assert parts == MISSING
    sentence = shortfall(Level.BASIC, parts)
    assert sentence is not None and "TCP connections" in sentence and "it needs X" in sentence
    assert in_force(SandboxPolicy(), parts)["missing"] == ["tcp"]
    for level, explicit in ((Level.BASIC, True), (Level.STRICT, False)):
        with pytest.raises(CannotContain, match=r"missing: tcp.*it needs X"):
            require(level, explicit=explicit)


def test_the_probe_finds_what_is_there(level: Level) -> None:
    """Where the machine can do it, every part of a level withstands the probe's attempts."""
    assert [part for part in probe.probe(level) if not part.works] == []


def test_without_containment_the_attempts_succeed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `none` every attempt gets through that the machine does not refuse to this user by itself."""
    monkeypatch.chdir(tmp_path)
    found = probe.examine(Level.NONE)
    held = {part.name for part in found.parts if part.works}
    assert found.user == os.geteuid() and not list(tmp_path.iterdir())
    assert held <= ({"settings"} if os.geteuid() else set())


def test_a_start_that_fails_is_one_missing_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no engine can be started nothing was tried, so nothing else is said to be missing."""

    def refuse(*_: object) -> None:
        raise CannotStart("its sandbox could not be set up")

    monkeypatch.setattr(probe, "_run_attempts", refuse)
    (part,) = probe.probe(Level.BASIC)
    assert not part.works and "could not be set up" in part.detail
    assert "does not work here: its sandbox" in (shortfall(Level.BASIC, (part,)) or "")


def test_a_probe_says_when_its_child_is_born(level: Level) -> None:
    """`on_start` is called once, while the child runs, so that modules can be loaded after the last fork."""
    before = process_tree.children(os.getpid())
    born: list[int] = []
    probe.probe(level, lambda: born.append(len(set(process_tree.children(os.getpid())) - set(before))))
    assert born == [1]


def test_a_probe_without_bubblewrap_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where bubblewrap is not installed one part of strict is missing, and the sentence says what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [(part.name, part.works) for part in probe.probe(Level.STRICT)] == [("namespaces", False)]
    with pytest.raises(CannotContain, match="install bubblewrap"):
        require(Level.STRICT, explicit=True)


def test_none_needs_nothing() -> None:
    """Without containment there is nothing to try and nothing to miss."""
    assert require(Level.NONE, explicit=True) == () and shortfall(Level.NONE, ()) is None


def test_a_folder_with_the_database_is_granted_without_it(home: Path, tmp_path: Path) -> None:
    """Every entry of the folder is granted but the database, what belongs to it, and links to them."""
    folder = home / "cup"
    engine = program(folder / "play")
    names = ["games.db", "games.db-wal", "games.db-shm", "games.db-journal", "games.db-12ab.lock", "games.db-12ab.live"]
    kept = ["games.db-notes", "weights", "games.dbx", "other.db"]
    for name in (*names, *kept):
        (folder / name).touch()
    (folder / "link").symlink_to("games.db-shm")
    (folder / "loop").symlink_to(folder)
    (folder / "lib").mkdir()
    found, listed = paths.without(
        paths.readable(engine, [engine, str(home)], None, [str(home)]), str(folder / "games.db")
    )
    wanted = {engine, *(f"{folder}/{each}" for each in (*kept, "lib"))}
    assert {each for each in found if each.startswith(str(home))} == wanted
    assert set(listed) == {str(home), str(folder)}
    assert paths.without([engine], str(tmp_path / "elsewhere.db")) == ((engine,), ())


def test_results_files_beside_an_engine_do_not_keep_it_from_a_user_of_its_own(home: Path) -> None:
    """Only their owner may read them, so no engine needs them."""
    engine = program(home / "cup" / "play")
    Store.create_or_open(home / "cup" / "games.db").close()
    (home / "cup" / "games.db-shm").touch()
    beside = program(home / "cup" / "weights")
    assert {*paths.needed(engine, [engine], None, ())} == {engine, beside}


@pytest.mark.parametrize("confined", [True, False])
def test_a_process_of_an_unknown_engine_is_ended_on_sight(confined: bool) -> None:
    """It has no mark and nobody saw it leave. What we start ourselves is not confined, and stays."""
    confine = "ctypes.CDLL(None).prctl(38, 1, 0, 0, 0); " if confined else ""  # PR_SET_NO_NEW_PRIVS
    code = f"import ctypes, sys; {confine}print(flush=True); sys.stdin.read()"
    with running([sys.executable, "-I", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stdin is not None and child.stdout.readline() == b"\n"
        assert Watchdog()._kill_strays([child.pid]) == [child.pid] * confined
        child.stdin.close()
        assert child.wait(30) == -signal.SIGKILL * confined
