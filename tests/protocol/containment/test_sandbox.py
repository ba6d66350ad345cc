"""A contained engine that means no harm: what it finds in its sandbox, and what is left after its end."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from protocol.containment.sandbox import TOKEN, Sandbox

from protocol.containment import bubblewrap, engine_user, paths, scratch
from protocol.containment.policy import Caps, Level, SandboxPolicy
from protocol.faults import CannotStart
from tests.protocol.containment.referees import Referee


@pytest.mark.parametrize(
    "argv",
    [
        ["/bin/sh", "-c", "echo works"],
        ["perl", "-e", "use POSIX; print 'works'"],
        ["{python}", "-c", "import hashlib, json, sqlite3, ctypes, random; print('works')"],
    ],
)
def test_interpreters_start(referee: Referee, level: Level, argv: list[str]) -> None:
    """Shell, Perl and Python with its compiled modules run in the sandbox without any grant."""
    if argv[0] == "perl" and shutil.which("perl") is None:
        pytest.skip("there is no perl here")
    ran = referee.run(level, argv)
    assert ran.out.strip() == "works" and ran.status == 0, ran


@pytest.mark.long
def test_java_starts(referee: Referee, level: Level, home: Path) -> None:
    """A Java program, compiled as it starts, runs in the sandbox."""
    if shutil.which("javac") is None and shutil.which("java") is None:
        pytest.skip("there is no java here")
    source = home / "Hello.java"
    source.write_text('class Hello { public static void main(String[] a) { System.out.println("works"); } }')
    ran = referee.run(level, ["java", str(source)], deadline_ms=30_000)
    assert ran.out.strip() == "works", ran


def test_a_granted_folder_is_read_and_not_written(referee: Referee, level: Level, home: Path) -> None:
    """`python -m` finds a package in a granted folder, and the rest of the home stays closed."""
    package = home / "granted" / "greeter"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(
        "import os\nprint('hello')\nfor path in ('granted/x', 'x', 'granted/greeter/__main__.py'):\n"
        "    try: open(os.path.join(os.environ['THEIR_HOME'], path), 'a'); print('written')\n"
        "    except OSError: print('refused')\n"
    )
    ran = referee.run(
        level,
        ["{python}", "-m", "greeter"],
        reads=[home / "granted"],
        environment={"PYTHONPATH": str(home / "granted"), "THEIR_HOME": str(home)},
    )
    assert ran.out.split() == ["hello", "refused", "refused", "refused"], ran


def test_a_file_that_the_command_names_is_read(referee: Referee, level: Level, home: Path) -> None:
    """Weights named in the command need no grant; the file beside them stays closed."""
    (home / "net.bin").write_text("weights")
    (home / "beside").write_text("no business of yours")
    code = "import sys, os; p = sys.argv[1][6:]; print(open(p).read()); open(os.path.dirname(p) + '/beside')"
    ran = referee.run(level, ["{python}", "-I", "-S", "-c", code, f"--net={home / 'net.bin'}"])
    assert "weights" in ran.out and "beside" in ran.out and "Error" in ran.out, ran


def test_the_environment_is_clean(referee: Referee, level: Level) -> None:
    """Only what an engine needs and what was granted is in its environment; HOME and TMPDIR are its scratch."""
    ran = referee.run(level, ["/usr/bin/env"], environment={"GRANTED": "yes"})
    found = dict(line.split("=", 1) for line in ran.out.splitlines())
    assert found.keys() - {"PWD", "USER"} == {"PATH", "LANG", "HOME", "TMPDIR", "NUMBA_CACHE_DIR", "GRANTED", TOKEN}
    assert found["HOME"] == found["TMPDIR"] == ran.scratch
    assert found.get("USER", "engine") == "engine", "the user of an engine has no name of its own"


WHO = "import os; open('x', 'w').write('x'); print(os.getuid(), os.getgid(), os.getgroups(), oct(os.stat('.').st_mode))"


def test_root_gives_each_engine_a_user(referee: Referee, level: Level, home: Path) -> None:
    """Two engines of root that all may read run as two users, who own their scratch and nothing else."""
    if os.geteuid() != 0 or engine_user.obstacle():
        pytest.skip("only root gives users")
    script = home / "engine.py"
    script.write_text(WHO)
    ran = [referee.run(level, ["/usr/bin/python3", "-I", str(script)]) for _ in range(2)]
    users = {int(each.out.split()[0]) for each in ran}
    assert all(each.status == 0 and each.left == 0 for each in ran), ran
    if referee.is_root:
        assert len(users) == 2 and all(map(engine_user.is_engine, users)), ran
    else:
        assert len(users) == 1, "an ordinary user has no other users to give"
    assert all(each.scratch is not None and not os.path.exists(each.scratch) for each in ran)


def test_root_runs_what_is_closed_to_others_as_itself(level: Level, home: Path) -> None:
    """An engine, a file beside it or a file that its command names, which others may not read: its user stays root."""
    if os.geteuid() != 0 or engine_user.obstacle():
        pytest.skip("only root gives users")
    folder = home / f"closed-{level}"
    folder.mkdir()
    engine, weights, named = folder / "engine", folder / "weights", home / f"named-{level}"
    for path in (engine, weights, named):
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)

    def user() -> int | None:
        sandbox = Sandbox(SandboxPolicy(level), [str(engine), f"--net={named}"])
        sandbox.close()
        return sandbox.user

    assert user() is not None
    for closed in (engine, weights, named, folder):
        mode = closed.stat().st_mode
        closed.chmod(0o700)
        assert user() is None, closed
        closed.chmod(mode)
    assert user() is not None


def test_an_exit_status_is_the_engines_own(referee: Referee, level: Level) -> None:
    """An exit status and a signal are reported unchanged at every level."""
    assert referee.run(level, ["/bin/sh", "-c", "exit 7"]).status == 7
    if level is Level.STRICT:
        code = "import os, ctypes; ctypes.string_at(0)"
        assert referee.run(level, ["{python}", "-I", "-S", "-c", code]).status == -11
    else:
        assert referee.run(level, ["/bin/sh", "-c", "kill -SEGV $$"]).status == -11


def test_engines_start_beside_busy_threads(referee: Referee, level: Level) -> None:
    """Starting from a process whose other threads hold locks all the time does not hang."""
    for _ in range(3):
        assert referee.run(level, ["/bin/sh", "-c", "echo works"], threads=1).out == "works\n"


@pytest.mark.parametrize("level", [Level.BASIC, Level.STRICT])
def test_a_program_that_is_not_there_is_said(level: Level) -> None:
    """A command that cannot be found is refused before anything is made, with its name."""
    with pytest.raises(CannotStart, match=r"no-such-engine.*on the PATH"):
        Sandbox(SandboxPolicy(level), ["no-such-engine"])
    with pytest.raises(CannotStart, match=r"/etc/passwd: it is not an executable file .*chmod"):
        Sandbox(SandboxPolicy(level), ["/etc/passwd"])
    with pytest.raises(CannotStart, match="the command is empty"):
        Sandbox(SandboxPolicy(level), [])


def test_strict_without_bubblewrap_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Strict does not fall back to a weaker level. What was missing is looked for again once it is installed."""
    bubblewrap._works_for_others.cache_clear()
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(tmp_path))
        with pytest.raises(CannotStart, match=r"needs bubblewrap.*apt install bubblewrap"):
            Sandbox(SandboxPolicy(Level.STRICT), ["/bin/sh"])
        assert not bubblewrap.works_for_others()
    assert bubblewrap._works_for_others.cache_info().currsize == 0


def test_none_changes_nothing() -> None:
    """Without containment the command, the place and the environment are the caller's."""
    sandbox = Sandbox(SandboxPolicy(Level.NONE, directory="/usr"), ["sh", "-c", "true"])
    assert (sandbox.argv, sandbox.directory, sandbox.environment) == (["sh", "-c", "true"], "/usr", None)
    assert sandbox.enter is None and sandbox.scratch is None


def test_a_process_cannot_change_whose_it_is(referee: Referee, level: Level) -> None:
    """The limits that tell an engine's processes are set, inherited by a new session and cannot be lowered."""
    code = (
        "import os, resource\n"
        "if not os.fork():\n"
        "    os.setsid()\n"
        "    for what in (resource.RLIMIT_RSS, 10):\n"
        "        value = resource.prlimit(0, what)[1]\n"
        "        print(value > 1 << 39)\n"
        "        for change in (resource.setrlimit, lambda *both: resource.prlimit(0, *both)):\n"
        "            try: change(what, (value - 1, value - 1))\n"
        "            except (PermissionError, ValueError): print('refused')\n"
        "else: os.wait()\n"
    )
    ran = referee.run(level, ["{python}", "-I", "-S", "-c", code])
    assert ran.out.split() == ["True", "refused", "refused"] * 2, ran


def test_a_scratch_is_removed_whatever_was_done_to_it() -> None:
    """Thousands of nested folders and folders closed to their owner go with the rest."""
    folder = scratch.make()
    code = (
        "import os\nos.mkdir('closed'); open('closed/x', 'w').close(); os.chmod('closed', 0)\n"
        "for _ in range(1050):\n    os.mkdir('deep'); os.chdir('deep')\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, timeout=120)
    scratch.remove(folder)
    assert not os.path.exists(folder)


def test_what_a_killed_referee_left_is_swept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The scratch of a process that is gone is removed, that of a living one stays, and so does what is not ours."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    living = scratch.make()
    gone = subprocess.Popen(["/bin/true"])
    gone.wait(10)
    dead = Path(living.replace(f"-{os.getpid()}-", f"-{gone.pid}-"))
    dead.mkdir()
    (tmp_path / "arena-of-another").mkdir()
    for kind in ("probe", "check"):
        Path(str(dead).replace("arena-cell-", f"arena-{kind}-")).mkdir()
    scratch.sweep()
    assert sorted(os.listdir(tmp_path)) == sorted([os.path.basename(living), "arena-of-another"])


OFFERED = """
import time
until = time.monotonic() + 5
while time.monotonic() < until and (score := open('/proc/self/oom_score_adj').read()) != '1000\\n':
    time.sleep(0.01)
print(score)
"""


def test_a_machine_without_memory_ends_the_engine_first(referee: Referee, level: Level) -> None:
    """The kernel's choice falls on the engine, and on no referee."""
    assert referee.run(level, ["{python}", "-I", "-S", "-c", OFFERED]).out.strip() == "1000"


def test_a_temporary_folder_is_swept_and_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever makes a folder first removes those of the dead, and its own at the end."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone = subprocess.Popen(["/bin/true"])
    gone.wait(10)
    with scratch.folder("check") as made:
        dead = Path(made.replace(f"-{os.getpid()}-", f"-{gone.pid}-"))
        dead.mkdir()
        with scratch.folder("probe") as other:
            assert sorted(os.listdir(tmp_path)) == sorted(map(os.path.basename, (made, other)))
    assert not os.listdir(tmp_path)


KILLED = """
import os, sys
from protocol.containment import probe
from protocol.containment.policy import Level
probe.probe(Level.BASIC, lambda: os.kill(os.getpid(), 9))
"""


def test_a_killed_command_leaves_its_folders_to_the_next(tmp_path: Path) -> None:
    """A command killed amid its trial leaves folders; the next one of the same user has removed them at its end."""
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])}
    subprocess.run([sys.executable, "-c", KILLED], env=environment, timeout=60, check=False)
    kinds = sorted(name.split("-")[1] for name in os.listdir(tmp_path))
    assert kinds == ["cell", "probe"], "the trial proves nothing here"
    again = KILLED.replace("lambda: os.kill(os.getpid(), 9)", "lambda: None")
    subprocess.run([sys.executable, "-c", again], env=environment, timeout=60, check=True)
    assert not os.listdir(tmp_path)


def test_open_files_are_capped(referee: Referee, level: Level) -> None:
    """An engine that opens file after file is refused the one beyond its cap."""
    code = "import os\nfor n in range(200): os.dup(0)"
    ran = referee.run(level, ["{python}", "-I", "-S", "-c", code], caps=Caps(files=100))
    assert "Too many open files" in ran.out


def test_what_is_loaded_into_an_engine_is_not_loaded_into_its_box(referee: Referee, level: Level) -> None:
    """LD_LIBRARY_PATH and the like reach the engine, and nothing outside of its sandbox."""
    ran = referee.run(level, ["/bin/sh", "-c", "echo $LD_LIBRARY_PATH"], environment={"LD_LIBRARY_PATH": "/granted"})
    assert ran.out == "/granted\n"
    if level is Level.STRICT:
        sandbox = Sandbox(SandboxPolicy(level, environment={"LD_PRELOAD": "evil.so"}), ["/bin/sh"])
        try:
            assert sandbox.environment is not None and "LD_PRELOAD" not in sandbox.environment
        finally:
            sandbox.close()


def test_an_engine_inherits_three_descriptors(referee: Referee, level: Level) -> None:
    """stdin, stdout and stderr are all that an engine gets of ours."""
    ran = referee.run(level, ["{python}", "-I", "-S", "-c", "import os; print(sorted(os.listdir('/proc/self/fd')))"])
    assert ran.out.strip() == "['0', '1', '2', '3']", "the fourth is the folder that it lists"


def test_a_box_that_cannot_be_made_leaves_nothing(
    level: Level, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where bubblewrap fails the start is refused with a sentence; nothing runs on and no folder stays."""
    if level is not Level.STRICT:
        pytest.skip("basic starts no helper that could fail")
    (tmp_path / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    sandbox = Sandbox(SandboxPolicy(level), ["/bin/sh"])
    folder = sandbox.scratch
    popen = subprocess.Popen(sandbox.argv, env=sandbox.environment, pass_fds=sandbox.pass_fds, start_new_session=True)
    with pytest.raises(CannotStart, match="bubblewrap did not start the sandbox"):
        sandbox.started(popen.pid)
    sandbox.reap()
    popen.wait(5)
    sandbox.close()
    assert folder is not None and not os.path.exists(folder)


def test_a_program_that_a_command_names_brings_what_lies_beside_it(tmp_path: Path) -> None:
    """An adapter's engine may run in a Python of its own, whose packages are in `lib` beside its `bin`."""
    for folder in ("bin", "lib"):
        (tmp_path / "own" / folder).mkdir(parents=True)
    python = tmp_path / "own" / "bin" / "python3"
    python.write_text("#!/bin/sh\n")
    lib = str(tmp_path / "own" / "lib")
    assert lib not in paths.readable("/bin/cat", ["/bin/cat", str(python)], None, ())
    python.chmod(0o755)
    assert lib in paths.readable("/bin/cat", ["/bin/cat", str(python)], None, ())
    assert lib in paths.needed("/bin/cat", ["/bin/cat", str(python)], None, ())
