"""Command lines of engines as people write them: what runs, what options it gets, or the remedy."""

import os
import sys
from pathlib import Path

import pytest

from arena.config import load as config
from arena.config.engine_argument import engine_argument
from arena.config.load import Registry, UnknownEngine, load_registry
from protocol.containment import reads

PROGRAMS = ("fox", "bin/java", "bin/node", "bin/env", "bin/bash", "bin/nice", "a b/fox", "c:d/fox", "home/e/fox")
FILES = (
    *("mine.py", "my engine.py", "a=b.py", "star*.py", "mine's.py", "ü.py", "x.js", "lib/x.jar", "a.jar", "E.java"),
    *("nets/n.bin", "fox.cfg", "args.txt", "run.sh", "home/mine.py", "nets/small", "m d/a b:c=d.py"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with programs and files, some with blanks, colons and quotes in their names."""
    folder = tmp_path_factory.mktemp("engines")
    for name in (*PROGRAMS, *FILES):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch(0o755 if name in PROGRAMS else 0o644)
    (folder / "classes").mkdir()
    return folder


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    """That folder, to work in; no program elsewhere is on the PATH."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    monkeypatch.setenv("HOME", str(folder / "home"))
    return folder


@pytest.fixture(scope="module")
def shipped(folder: Path) -> Registry:
    """The registry that comes with the arena."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(config, "user_registry_path", lambda: folder / "none" / "engines.toml")
        return load_registry()


# The command line; the words that run, with @ for this folder; the engine's name; its options.
RUNS = [
    ("fox", "@/fox", "fox", ""),
    ("./fox", "@/fox", "fox", ""),
    ("./fox:Hash=16", "@/fox", "fox", "Hash=16"),
    ("./fox:Hash=16, Threads=1", "@/fox", "fox", "Hash=16|Threads=1"),
    ("./fox: Hash=16", "@/fox", "fox", "Hash=16"),
    ("./fox :Hash=16", "@/fox", "fox", "Hash=16"),
    ("./fox:Own Book=true", "@/fox", "fox", "Own Book=true"),
    ("./fox:Book=a:b=c", "@/fox", "fox", "Book=a:b=c"),
    ("./fox:Hash=16:Threads=2", "@/fox", "fox", "Hash=16:Threads=2"),
    ("./fox:Book Path=/a/b c/x.bin", "@/fox", "fox", "Book Path=/a/b c/x.bin"),
    ("'./fox':Hash=16", "@/fox", "fox", "Hash=16"),
    ("./fox Hash=16", "@/fox|Hash=16", "fox", ""),
    ("./fox -Hash=16", "@/fox|-Hash=16", "fox", ""),
    ("./fox --fast:Hash=16", "@/fox|--fast:Hash=16", "fox", ""),
    ("./fox --addr box:80=x", "@/fox|--addr|box:80=x", "fox", ""),
    ("./fox --net=nets/n.bin", "@/fox|--net=@/nets/n.bin", "fox", ""),
    ("./fox --net nets/n.bin", "@/fox|--net|@/nets/n.bin", "fox", ""),
    ("./fox --net nets/n.bin:Hash=1", "@/fox|--net|@/nets/n.bin", "fox", "Hash=1"),
    ("./fox --net=~/mine.py", "@/fox|--net=@/home/mine.py", "fox", ""),
    ("./fox --log out.txt", "@/fox|--log|out.txt", "fox", ""),
    ("../{folder}/fox", "@/fox", "fox", ""),
    ("a b/fox:Hash=1", "@/a b/fox", "fox", "Hash=1"),
    ("'a b/fox' --fast", "@/a b/fox|--fast", "fox", ""),
    (r"a\ b/fox --fast", "@/a b/fox|--fast", "fox", ""),
    ("c:d/fox:Hash=1", "@/c:d/fox", "fox", "Hash=1"),
    ("~/e/fox:Hash=1", "@/home/e/fox", "fox", "Hash=1"),
    ("{python} ~/mine.py", "{python}|@/home/mine.py", "mine", ""),
    ("{python} -u mine.py --net nets/n.bin", "{python}|-u|@/mine.py|--net|@/nets/n.bin", "mine", ""),
    ("{python} -u mine.py:Hash=16", "{python}|-u|@/mine.py", "mine", "Hash=16"),
    ("{python} 'my engine.py'", "{python}|@/my engine.py", "my engine", ""),
    ("my engine.py", "@/my engine.py", "my engine", ""),
    ("{python} star*.py", "{python}|@/star*.py", "star*", ""),
    ('{python} "mine\'s.py"', "{python}|@/mine's.py", "mine's", ""),
    ("mine's.py", "@/mine's.py", "mine's", ""),
    ("{python} -c 'import x; x.run(a=1)'", "{python}|-c|import x; x.run(a=1)", "python", ""),
    ("java -jar lib/x.jar:Hash=16", "@/bin/java|-jar|@/lib/x.jar", "x", "Hash=16"),
    ("java -cp lib/x.jar:classes Main:A=1", "@/bin/java|-cp|@/lib/x.jar:@/classes|Main:A=1", "java", ""),
    ("java -cp lib/*:classes Main", "@/bin/java|-cp|@/lib/*:@/classes|Main", "java", ""),
    ("java --class-path=a.jar:lib/x.jar Main", "@/bin/java|--class-path=@/a.jar:@/lib/x.jar|Main", "java", ""),
    ("java -XX:MaxRAMPercentage=50 -cp a.jar Main", "@/bin/java|-XX:MaxRAMPercentage=50|-cp|@/a.jar|Main", "a", ""),
    ("java -Xmx64m -XX:+UseSerialGC E.java", "@/bin/java|-Xmx64m|-XX:+UseSerialGC|@/E.java", "E", ""),
    ("java -javaagent:a.jar=fast -jar lib/x.jar", "@/bin/java|-javaagent:a.jar=fast|-jar|@/lib/x.jar", "x", ""),
    ("java -agentlib:jdwp=transport=x,server=y M", "@/bin/java|-agentlib:jdwp=transport=x,server=y|M", "java", ""),
    ("java --module-path lib --module m/Main", "@/bin/java|--module-path|@/lib|--module|m/Main", "java", ""),
    ("java Main http://box:80/?a=b", "@/bin/java|Main|http://box:80/?a=b", "java", ""),
    ("java @args.txt", "@/bin/java|@@/args.txt", "java", ""),
    ("node --max-old-space-size=512 x.js", "@/bin/node|--max-old-space-size=512|@/x.js", "x", ""),
    ("{python} 'm d/a b:c=d.py':Hash=5,Own Book=x:y", "{python}|@/m d/a b:c=d.py", "a b:c=d", "Hash=5|Own Book=x:y"),
    ("random:Hash=16,Own Book=a:b", "{python}|-P|-m|engines.random", "random", "Hash=16|Own Book=a:b"),
    ("env NET=nets/n.bin ./fox", "@/bin/env|NET=@/nets/n.bin|@/fox", "fox", ""),
    ("env LIB=lib:classes ./fox", "@/bin/env|LIB=@/lib:@/classes|@/fox", "fox", ""),
    ("nice -n 5 ./fox --config fox.cfg", "@/bin/nice|-n|5|@/fox|--config|@/fox.cfg", "fox", ""),
    ("bash run.sh", "@/bin/bash|@/run.sh", "run", ""),
    ("bash -c 'exec ./fox 2> log'", "@/bin/bash|-c|exec ./fox 2> log", "bash", ""),
]


@pytest.mark.parametrize(("text", "words", "name", "options"), RUNS, ids=[line[0] for line in RUNS])
def test_a_command_line_runs_as_its_author_means_it(
    here: Path, shipped: Registry, text: str, words: str, name: str, options: str
) -> None:
    """Files are found wherever the engine starts; only what follows a program's colon is an option."""
    spec = engine_argument(text.replace("{folder}", here.name), shipped)
    expected = words.replace("@/", f"{here}/").replace("{python}", sys.executable).split("|")
    assert list(spec.command) == expected
    assert dict(spec.options) == dict(pair.split("=", 1) for pair in options.split("|") if pair)
    assert spec.name == (Path(sys.executable).stem if name == "python" else name)


# The command line, and the part of the sentence that says the remedy.
REFUSED = [
    ("", "an engine's name is empty"),
    ("''", "an engine's name is empty"),
    ("RANDOM:Seed=1", "did you mean 'random'?"),
    ("randm:Seed=1", "did you mean 'random'?"),
    ("random greedy", "did you mean"),
    ("./none:Hash=16", "engine './none': there is no file './none'"),
    ("none.py", "there is no file 'none.py'; check the path"),
    ("a b", "'a b' is a directory: name the program in it"),
    ("dotnet E.dll", "there is no program 'dotnet' on the PATH; install it or give its path"),
    ("{Python} mine.py", "the Python that runs the arena is written {python}"),
    ("./fox:Hash", "after ./fox and a colon come options: write NAME=VALUE,NAME=VALUE"),
    ("./fox:=16", "after ./fox and a colon come options"),
    ("a b/fox --fast", "a path has a blank: write it in quotes, as in \"'a b/fox' --fast\""),
    ("{python} my engine.py", "a path has a blank: write it in quotes, as in \"{python} 'my engine.py'\""),
    ("{python} mine's.py", "cannot be split into words: check its quotes"),
    ("./fox > log", "'>' is for a shell, and none reads this line: put the whole of it in bash -c '...'"),
    ("./fox | tee log", "'|' is for a shell"),
    ("./fox; ls", "'./fox;' is for a shell"),
    ("cd lib && ../fox", "'&&' is for a shell"),
    ("A=1 ./fox", "a variable before the program is for a shell: write env before it, or use --env NAME=VALUE"),
    ("$HOME/e/fox", "no shell fills in '$HOME/e/fox': write the whole path, or ~ for your home"),
    ("{python} *.py", "there is no file '*.py'; check the path"),
    ("🐟", "engine '🐟' is neither registered nor a program"),
    ("my dir/fox", "nor a file 'my dir/fox'; check the path"),
    ("~nobody-here/fox", "there is no file '~nobody-here/fox'"),
]


@pytest.mark.parametrize(("text", "remedy"), REFUSED, ids=[line[0] for line in REFUSED])
def test_a_command_line_that_cannot_run_is_told_the_remedy(shipped: Registry, text: str, remedy: str) -> None:
    """Before a process starts."""
    with pytest.raises(UnknownEngine) as refused:
        engine_argument(text, shipped)
    assert remedy in str(refused.value)


@pytest.mark.parametrize(
    ("text", "folders"),
    [("java -cp classes:lib/*:a.jar Main", "classes lib"), ("java --class-path=lib/x.jar @nets/n.bin", "lib nets")],
)
def test_a_contained_engine_may_read_the_places_of_its_class_path(
    here: Path, shipped: Registry, text: str, folders: str
) -> None:
    """Jars, folders, and folders of which every jar is taken."""
    command = engine_argument(text, shipped).command
    paths = reads.readable(command[0], command, None, (), os.environ["PATH"]).paths
    assert {f"{here}/{folder}" for folder in folders.split()} <= set(paths)
