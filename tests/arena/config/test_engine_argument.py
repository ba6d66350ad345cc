"""Command lines of engines that runtimes run: the JVM, Node, a Python; and options behind a colon."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from arena.config import load as config
from arena.config.engine_argument import engine_argument
from arena.config.load import UnknownEngine, load_registry
from protocol.containment import reads


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with `a.jar`, `classes/`, `lib/x.jar` and a program `java` on the PATH."""
    monkeypatch.setattr(config, "user_registry_path", lambda: tmp_path / "none" / "engines.toml")
    monkeypatch.chdir(tmp_path)
    for folder in ("classes", "lib", "bin", "nets"):
        Path(folder).mkdir()
    for file in ("a.jar", "lib/x.jar", "nets/big.bin", "mine.py", "bin/java"):
        Path(file).touch()
    Path("bin/java").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("java -cp a.jar:b Main", ["-cp", "{here}/a.jar:b", "Main"]),
        ("java -cp a.jar:b -Dbook=off Main", ["-cp", "{here}/a.jar:b", "-Dbook=off", "Main"]),
        ("java -XX:MaxRAMPercentage=50 -cp classes Main", ["-XX:MaxRAMPercentage=50", "-cp", "{here}/classes", "Main"]),
        ("java -XX:Name=value Main", ["-XX:Name=value", "Main"]),
        ("java -javaagent:a.jar=fast -jar lib/x.jar", ["-javaagent:a.jar=fast", "-jar", "{here}/lib/x.jar"]),
        ("java -cp 'classes:lib/*' Main", ["-cp", "{here}/classes:{here}/lib/*", "Main"]),
        ("java -agentlib:jdwp=transport=x,server=y Main", ["-agentlib:jdwp=transport=x,server=y", "Main"]),
        ("java Main --net=nets/big.bin --host=box:80", ["Main", "--net={here}/nets/big.bin", "--host=box:80"]),
        ("java --module-path lib --module m/Main", ["--module-path", "{here}/lib", "--module", "m/Main"]),
        ("java Main http://box:80/?a=b", ["Main", "http://box:80/?a=b"]),
    ],
)
def test_words_with_colons_are_taken_as_they_are(here: Path, text: str, words: list[str]) -> None:
    """Paths become absolute, relative folders and the places of a class path too; no word becomes an option."""
    spec = engine_argument(text, load_registry())
    assert spec.command[1:] == tuple(word.replace("{here}", str(here)) for word in words)
    assert spec.options == {}


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("java -jar lib/x.jar:Hash=16,Own Book=a:b", "{here}/lib/x.jar"),
        ("{python} mine.py:Hash=16,Own Book=a:b", "{here}/mine.py"),
        ("~/mine.py:Hash=16,Own Book=a:b", "{here}/mine.py"),
        ("bin/java:Hash=16,Own Book=a:b", "{here}/bin/java"),
        ("random:Hash=16,Own Book=a:b", "engines.random"),
    ],
)
def test_options_stand_behind_a_registered_name_or_an_existing_file(
    here: Path, monkeypatch: pytest.MonkeyPatch, text: str, last: str
) -> None:
    """A colon behind anything else begins none."""
    monkeypatch.setenv("HOME", str(here))
    spec = engine_argument(text, load_registry())
    assert spec.command[-1] == last.replace("{here}", str(here))
    assert {name: spec.options[name] for name in ("Hash", "Own Book")} == {"Hash": "16", "Own Book": "a:b"}


def test_the_arenas_python_has_a_name_on_the_command_line(here: Path) -> None:
    """`{python}` is the interpreter that runs the arena, as in registries; the engine is called after its script."""
    spec = engine_argument("{python} mine.py --fast", load_registry())
    assert spec.command == (sys.executable, str(here / "mine.py"), "--fast")
    assert spec.name == "mine"
    with pytest.raises(UnknownEngine, match=r"'none\.py'"):
        engine_argument("{python} none.py", load_registry())


def test_a_registered_command_finds_folders_beside_its_file(here: Path) -> None:
    """As on the command line; relative ones start from the registry's folder."""
    file = here / "lib" / "mine.toml"
    (here / "lib" / "build").mkdir()
    file.write_text('[[engines]]\nname = "mine"\ncommand = ["java", "-cp", "build:x.jar", "Main"]\n')
    spec = load_registry(file).get("mine")
    assert spec is not None
    assert spec.command == (shutil.which("java"), "-cp", f"{here}/lib/build:{here}/lib/x.jar", "Main")


def test_a_contained_engine_may_read_the_places_of_its_class_path(here: Path) -> None:
    """Jars, folders, and folders of which every jar is taken."""
    spec = engine_argument("java -cp 'classes:lib/*:a.jar' Main", load_registry())
    assert {f"{here}/{name}" for name in ("classes", "lib")} <= set(readable(spec.command))
    joined = engine_argument("java --class-path=lib/x.jar @nets/big.bin", load_registry())
    assert {f"{here}/{name}" for name in ("lib", "nets")} <= set(readable(joined.command))


def readable(command: tuple[str, ...]) -> tuple[str, ...]:
    return reads.readable(command[0], command, None, (), os.environ["PATH"]).paths
