"""Ludii's adapter: compiled and run with classes of ours in the place of Ludii's, which know the steps of Callanish."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.games.game import Game
from arena.games.variants import names, resolve
from engines.adapters import ludii
from engines.adapters.ugi_client import UgiClient

STUB = Path(__file__).with_name("ludii_stub")
DEADLINE_S = 60

needs_java = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no javac on the PATH")


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The adapter, compiled against the stand-in."""
    folder = tmp_path_factory.mktemp("classes")
    sources = [str(path) for path in sorted(STUB.rglob("*.java"))]
    done = subprocess.run(
        ["javac", "-Xlint:all", "-Werror", "-d", str(folder), *sources, str(ludii.SOURCE)],
        capture_output=True, text=True, timeout=DEADLINE_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def engine(classes: Path) -> Iterator[UgiClient]:
    """The adapter with the stand-in, ready for callanish-7."""
    client = UgiClient(["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(classes), "Ludii"])
    client.set("UGI_Variant", "callanish-7")
    client.send("uginewgame")
    client.ready()
    yield client
    client.close()


def bestmove(engine: UgiClient) -> str:
    deadline = time.monotonic() + DEADLINE_S
    while line := engine.read(deadline - time.monotonic()):
        if line.startswith("bestmove "):
            return line.split()[1]
    raise AssertionError("no bestmove came")


@needs_java
@pytest.mark.long
def test_a_turn_of_callanish_is_put_together_from_ludiis_steps(engine: UgiClient) -> None:
    """Its moves are ours, in our spelling, and so are its legal moves and its boards."""
    assert set(engine.choices["UGI_Variant"]) <= set(names())
    assert engine.choices["AI"] == ("Alpha-Beta", "UCT", "MC-GRAVE", "Ludii AI")
    game = Game(*resolve("callanish-7"))
    for _ in range(8):
        engine.send(f"position startpos{' moves ' * bool(game.moves)}{' '.join(game.moves)}")
        assert engine.ask("fen") == game.position.fen()
        legal = [move.text for move in game.position.legal_moves()]
        assert engine.ask("legalmoves").split() == [str(len(legal)), *sorted(legal)]
        engine.send("go movetime 300")
        game.play(bestmove(engine))
    assert engine.ask("islegal a1") == "false"


@needs_java
@pytest.mark.long
def test_a_position_string_is_set_up(engine: UgiClient) -> None:
    """With stacks, with either side to move, and before a side's first stone."""
    for fen in ("7/2w4/3W3/3b3/2B4/7/5b1 p1 4", "7/2w4/3W3/3b3/2B4/7/5b1 p2 4", "7/7/7/2w4/7/7/7 p2 1"):
        engine.send(f"position fen {fen}")
        assert engine.ask("fen") == fen
        _, start = resolve("callanish-7", "", fen)
        legal = [move.text for move in start.legal_moves()]
        assert engine.ask("legalmoves").split()[1:] == sorted(legal)
    engine.send("position fen 7/7/7/7 p1 1")
    engine.ready()


@needs_java
@pytest.mark.long
def test_a_search_can_be_stopped_and_asked_whether_it_is_ready(engine: UgiClient) -> None:
    """`isready` is answered at once, `stop` ends the search, and one that does not end in time is left alone."""
    engine.set("AI", "UCT")
    engine.send("position startpos moves d4 b2")
    engine.ready()
    engine.send("go infinite")
    engine.ready()
    engine.send("stop")
    assert bestmove(engine).startswith("d4")
    engine.set("AI", "MC-GRAVE")
    engine.ready()
    engine.send("go movetime 200")
    assert bestmove(engine).startswith("d4")


@needs_java
@pytest.mark.long
def test_the_rules_of_a_tafl_game_can_be_changed_and_nonsense_is_an_error(engine: UgiClient) -> None:
    """A wrong value leaves the option as it was, and the engine lives on. A rule that Ludii has not is one."""
    rules = ("king_steps=99", "encirclement=wins", "repetition=p2-loses", "camps=yes")
    lines = [f"setoption name UGI_Rules value {rule}" for rule in rules]
    for line in (*lines, "setoption name AI value Deep", "setoption name X"):
        engine.send(line)
        assert (engine.read(DEADLINE_S) or "").startswith("error ")
    engine.send("setoption name ugi_variant value SCOTTISH")
    engine.send("setoption name UGI_Rules value king_steps=2 king_armed=yes")
    engine.ready()


def test_java_is_started_with_the_users_jar(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command has the jar and our source; a missing jar or java is said in a sentence."""
    command = ludii.command("/usr/bin/java", "/home/fox/Ludii.jar", None, 700)
    assert command[:2] == ["/usr/bin/java", "-Xmx700m"] and command[-3:-1] == ["-cp", "/home/fox/Ludii.jar"]
    assert Path(command[-1]).is_file()
    compiled = ludii.command("java", "Ludii.jar", "classes", 700)
    assert compiled[-3:] == ["-cp", "Ludii.jar:classes", "Ludii"]
    jar = tmp_path / "Ludii.jar"
    with pytest.raises(SystemExit):
        ludii.main([str(jar)])
    assert "there is no file" in capsys.readouterr().err
    jar.touch()
    with pytest.raises(SystemExit):
        ludii.main([str(jar), "--classes", str(tmp_path)])
    assert "there is no Ludii.class in" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        ludii.main([str(jar), "--java", "no-such-java"])
    assert "there is no no-such-java on the PATH" in capsys.readouterr().err
