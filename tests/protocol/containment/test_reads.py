"""What an engine may read unasked: its own folder and the system, whatever lies in that folder."""

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.containment import box, reads
from protocol.containment.policy import Level, SandboxPolicy
from tests.protocol.containment.conftest import SYSTEM_PYTHON
from tests.protocol.containment.referees import STRICT_IS_ALIKE, Referee, got


class Cup:
    """A stranger's folder in one of ours, which has a secret that only containment keeps from engines."""

    def __init__(self, home: Path) -> None:
        self.ours = home / f"cup{time.monotonic_ns()}"
        self.theirs = self.ours / "stranger"
        self.theirs.mkdir(parents=True)
        (self.ours / "secret").write_text("the secret")

    def engine(self, path: str = "engine", first: str = f"#!{SYSTEM_PYTHON} -IS", code: str = "") -> Path:
        """A script of the stranger, or of ours with a path through `..`."""
        file = self.theirs / path
        file.parent.mkdir(exist_ok=True)
        code = code or f"print('got', open({str(self.ours / 'secret')!r}).read())"
        file.write_text(f"{first}\n{code}\n")
        file.chmod(0o755)
        return file


def beside(cup: Cup) -> Path:
    """Links beside it and beside its `bin` lead out of its folder."""
    engine = cup.engine("bin/engine")
    for folder in (cup.theirs, cup.theirs / "bin"):
        (folder / "lib").symlink_to(cup.ours)
        (folder / "secret").symlink_to(cup.ours / "secret")
    return engine


def in_an_environment(cup: Cup) -> Path:
    """Its virtual environment says that it was made of a Python among our files, and its `lib` leads there."""
    (cup.theirs / "pyvenv.cfg").write_text(f"home = {cup.ours}\n")
    (cup.theirs / "lib").symlink_to("..")
    engine = cup.engine("bin/engine", f"#!{cup.theirs}/bin/python3 -IS")
    (cup.theirs / "bin" / "python3").symlink_to(SYSTEM_PYTHON)
    return engine


def through_a_link(cup: Cup) -> Path:
    """It is a link to its own `tool`; without regard to the link in between it would be ours."""
    (cup.theirs / "a" / "b").mkdir(parents=True)
    (cup.theirs / "lnk").symlink_to("a/b")
    cup.engine("tool")
    cup.engine("../tool")
    (cup.theirs / "engine").symlink_to("lnk/../../tool")
    return cup.theirs / "engine"


def by_env(cup: Cup) -> Path:
    """Its first line names one of our programs as a variable to unset."""
    cup.engine("../x")
    return cup.engine(first=f"#!/usr/bin/env -S -u {cup.ours}/x {SYSTEM_PYTHON}")


def out_of_its_folder(cup: Cup) -> Path:
    """It is a link to a program of ours."""
    cup.engine("../tool")
    (cup.theirs / "engine").symlink_to("../tool")
    return cup.theirs / "engine"


def by_its_first_line(cup: Cup) -> Path:
    """Its interpreter is a program of ours."""
    cup.engine("../python3", "#!/bin/sh", f'exec {SYSTEM_PYTHON} "$@"')
    return cup.engine(first=f"#!{cup.ours}/python3")


TRICKS: dict[Callable[[Cup], Path], tuple[str, ...]] = {
    beside: (),
    in_an_environment: (),
    through_a_link: (),
    by_env: ("x",),
    out_of_its_folder: ("tool",),
    by_its_first_line: ("python3",),
}


@STRICT_IS_ALIKE
@pytest.mark.parametrize("trick", TRICKS, ids=[trick.__name__ for trick in TRICKS])
def test_a_strangers_files_do_not_decide_what_may_be_read(
    referee: Referee, level: Level, home: Path, trick: Callable[[Cup], Path]
) -> None:
    """A file outside of the engine's folder stays closed, whatever leads there. What the engine lacks is named."""
    cup = Cup(home)
    engine = trick(cup)
    assert "got the secret" in referee.run(Level.NONE, [str(engine)]).out, "the attempt proves nothing here"
    ran = referee.run(level, [str(engine)])
    assert not got(ran) and ran.status != 0, ran
    left_out = box.left_out(SandboxPolicy(level), [str(engine)])
    assert left_out == tuple(str(cup.ours / name) for name in TRICKS[trick])


@pytest.fixture
def me(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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


def paths(*argv: str, granted: tuple[str, ...] = (), directory: str | None = None) -> set[str]:
    """What the engine with this command may read."""
    return set(reads.readable(argv[0], argv, directory, granted, "/usr/bin").paths)


def test_an_engine_reads_its_own_folder_and_the_files_that_its_command_names(me: Path) -> None:
    """What lies beside its program and beside what its command names, in any spelling; nothing above."""
    engine = program(me / "engines" / "tafl" / "engine")
    own = {str(me / "engines" / "tafl")}
    files = [me / name / "file" for name in ("net", "jar", "other", "options", "classes")]
    for file in files:
        program(file)
    net, jar, other, options, classes = map(str, files)
    words = (f"--net={net}", "-cp", f"{jar}:{other}", f"@{options}", f"{os.path.dirname(classes)}/*")
    found = paths(engine, *words, str(me), "/", "~", "a\0b")
    assert {each for each in found if each.startswith(str(me))} == own | {
        os.path.dirname(each) for each in map(str, files)
    }


def test_a_python_of_its_own_brings_its_packages(me: Path) -> None:
    """Of an environment that its program or a word of its command lies in. What that was made of has to be granted."""
    base = program(me / "pythons" / "bin" / "python3")
    environment = me / "venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "pyvenv.cfg").touch()
    python = environment / "bin" / "python3"
    python.symlink_to(base)
    for argv in ([str(python)], ["/usr/bin/env", str(python)]):
        found = reads.readable(argv[0], argv, None, (), "/usr/bin")
        assert str(environment) in found.paths and str(me / "pythons") not in found.paths
        assert found.left_out == (base,)
        assert box.left_out(SandboxPolicy(Level.BASIC), argv) == (str(me / "pythons"),)
        granted = reads.readable(argv[0], argv, None, (str(me / "pythons"),), "/usr/bin")
        assert str(me / "pythons") in granted.paths and not granted.left_out


def test_a_folder_with_the_database_is_granted_without_it(me: Path, tmp_path: Path) -> None:
    """Every entry of the folder is granted but the closed ones, what belongs to the database, and links."""
    folder = me / "cup"
    engine = program(folder / "play")
    for name in ("games.db", "games.db-wal", "games.db-shm", "games.db-12ab.lock", "weights", "games.dbx", "other.db"):
        (folder / name).touch()
    (folder / "link").symlink_to("games.db-shm")
    (folder / "loop").symlink_to(folder)
    for name in ("lib", "games.db-lib", "kept"):
        (folder / name).mkdir()
    found = list(reads.without([str(me)], [str(folder / "games.db"), str(folder / "kept")]))
    wanted = {engine, *(f"{folder}/{each}" for each in ("weights", "games.dbx", "other.db", "lib", "games.db-lib"))}
    assert {path for path, is_listed in found if not is_listed} == wanted
    assert {path for path, is_listed in found if is_listed} == {str(me), str(folder)}
    assert list(reads.without([engine], [str(tmp_path / "elsewhere.db")])) == [(engine, False)]


def test_who_may_read_an_engine_is_known(me: Path) -> None:
    """Its interpreter, what lies beside it and what its command names count; databases and links beside it do not."""
    for folder in (me, *me.parents):
        if not folder.stat().st_mode & stat.S_IXOTH:
            folder.chmod(folder.stat().st_mode | stat.S_IXOTH)
    engine = program(me / "cup" / "play", f"#!{program(me / 'interpreter', '#!/bin/sh')}\n")
    weights, named, granted = (program(me / name) for name in ("cup/weights", "named/book", "granted/file"))
    (me / "closed").touch(mode=0o600)
    (me / "cup" / "games.db").touch(mode=0o600)
    (me / "cup" / "link").symlink_to(me / "closed")
    (me / "cup" / "circle").symlink_to("circle")

    def may_everybody() -> bool:
        return reads.everybody_may_read(engine, [engine, f"--book={named}"], None, [granted], "/usr/bin")

    assert may_everybody()
    for closed in (Path(engine), Path(weights), Path(named), Path(granted), me / "interpreter", me / "cup"):
        mode = closed.stat().st_mode
        closed.chmod(0o700)
        assert not may_everybody(), closed
        closed.chmod(mode)
    assert may_everybody()
