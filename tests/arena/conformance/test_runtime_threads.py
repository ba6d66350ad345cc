"""A runtime's own threads are not held against the engine that it runs (check K7)."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from arena.conformance import runner, runtime_threads
from arena.conformance.catalogue import CHECKS
from arena.conformance.check import CheckVerdict
from arena.conformance.context import CheckRun, CheckSettings
from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command

ROOT = Path(__file__).parents[3]
SLEEPERS = (sys.executable, "-P", "-m", "tests.zoo", "--fault", "threads", "--limit", "12")
NODE = """
const child = require("child_process").spawn(process.argv[2], process.argv.slice(3), {stdio: "inherit"});
child.on("exit", code => process.exit(code));
"""


def modest(*argv: str) -> tuple[CheckVerdict, str]:
    """The verdict of K7, and what it saw."""
    policy = SandboxPolicy(Level.NONE, environment={"PYTHONPATH": str(ROOT)})
    check_run = CheckRun(CheckSettings(Command(argv, policy), {}), "callanish-5")
    checks = [check for check in CHECKS if check.id == "K7"]
    (done,) = runner.run(check_run, runner.tasks(checks, ("callanish-5",), "callanish-5"), 1)
    return done.finding.verdict, done.finding.evidence.seen if done.finding.evidence else str(done.finding)


def process(folder: Path, pid: int, program: Path, threads: dict[str, int], maps: str = "") -> None:
    """A process as /proc shows it; `threads` are names and CPU times in ns."""
    for number, (name, ns) in enumerate(threads.items()):
        task = folder / str(pid) / "task" / str(pid + number)
        task.mkdir(parents=True)
        (task / "comm").write_text(f"{name}\n")
        (task / "schedstat").write_text(f"{ns} 5 7\n")
    (folder / str(pid) / "exe").symlink_to(program)
    (folder / str(pid) / "maps").write_text(maps)


def test_sleeping_threads_are_held_against_a_native_engine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve of them are too many; where a runtime has them they are its own, and only those that search count."""
    verdict, seen = modest(*SLEEPERS)
    assert verdict is CheckVerdict.WARNING and "13 threads, with Threads at 1" in seen
    monkeypatch.setattr(runtime_threads, "has_runtime", lambda pid: True)
    verdict, seen = modest(*SLEEPERS)
    assert verdict is CheckVerdict.PASS, seen
    assert "1 threads that work, besides those of its runtime" in seen


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not on this machine")
def test_the_threads_of_node_are_not_counted(tmp_path: Path) -> None:
    """Node starts about ten threads before the first line of the engine runs."""
    script = tmp_path / "engine.js"
    script.write_text(NODE)
    verdict, seen = modest(str(shutil.which("node")), str(script), sys.executable, "-P", "-m", "tests.zoo")
    assert verdict is CheckVerdict.PASS, seen
    assert "besides those of its runtime" in seen


@pytest.mark.parametrize(
    ("program", "content", "maps", "expected"),
    [
        ("java", b"", "", True),
        ("node", b"", "", True),
        ("dotnet", b"", "", True),
        ("engine", b"\x7fELF ... \xff Go buildinf:\x08\x02", "", True),
        ("engine", b"\x7fELF", "7f00-7f01 r-xp 0 00:00 0  /usr/share/dotnet/shared/9.0.0/libcoreclr.so\n", True),
        ("engine", b"\x7fELF", "7f00-7f01 r-xp 0 00:00 0  /usr/lib/x86_64-linux-gnu/libc.so.6\n", False),
        ("javanese", b"", "", False),
        ("empty", b"", "", False),
    ],
)
def test_a_runtime_is_known_by_its_program_or_its_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, content: bytes, maps: str, expected: bool
) -> None:
    """Java, Node, .NET, Go; a program of another name may hold one, too."""
    (tmp_path / program).write_bytes(content)
    process(tmp_path, 7, tmp_path / program, {"main": 1}, maps)
    monkeypatch.setattr(runtime_threads, "PROC", tmp_path)
    assert runtime_threads.has_runtime(7) is expected
    assert not runtime_threads.has_runtime(8), "a process that has ended"


def test_threads_of_a_known_name_never_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The JVM and .NET name theirs; a compiler may have more CPU time than a short search."""
    names = {"main": 5, "Search-1": 6, "C2 CompilerThre": 90, "G1 Conc#0": 8, ".NET TP Worker": 70, "VM Thread": 9}
    process(tmp_path, 7, Path(os.devnull), names)
    monkeypatch.setattr(runtime_threads, "PROC", tmp_path)
    assert runtime_threads.cpu_times_ns(7) == {7: 5, 8: 6}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {}, 1),
        ({1: 50}, {1: 50}, 1),
        ({1: 50}, {1: 350, 2: 20, 3: 40}, 1),
        ({1: 50, 2: 0}, {1: 350, 2: 290, 3: 160}, 3),
        ({1: 900, 2: 0}, {1: 900, 2: 300}, 1),
    ],
)
def test_threads_work_that_have_half_the_cpu_time_of_the_busiest(
    before: dict[int, int], after: dict[int, int], expected: int
) -> None:
    """Counted between two moments; a thread that began in between counts from nothing."""
    assert runtime_threads.working(before, after) == expected
