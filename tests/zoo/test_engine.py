"""The correct engine of the zoo over pipes, the list of its faults, its command line."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.games.game import Game
from arena.games.variants import names, resolve
from protocol.faults import Fault
from tests.zoo.__main__ import main
from tests.zoo.animal import ENVIRONMENT, WAIT_S, ZOO, Start, cage
from tests.zoo.catalogue import FAULTS, as_values, sentence
from tests.zoo.faults.fault import Verdict
from tests.zoo.settings import PHASES
from tests.zoo.table import ZOO_ROWS


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a zoo by its arguments; whatever is left of it is killed."""
    with cage(tmp_path) as begin:
        yield begin


# The correct engine


def test_the_correct_engine_holds_a_dialogue(start: Start) -> None:
    """Handshake, options, positions, limits, stop, queries, errors and quit go as the protocol says."""
    zoo = start()
    assert zoo.silent(), "nothing may be said before `ugi`"
    zoo.send("ugi\n")
    hello = zoo.lines("ugiok")
    assert hello[:2] == ["id name zoo", "id author Callanish Arena"]
    assert all(line.startswith("option name ") for line in hello[2:-1])
    zoo.send("ug")
    zoo.send("i\r\n  \n\n\tisready   \n")
    assert zoo.lines("readyok") == [*hello, "readyok"]
    zoo.send("setoption name ugi_variant value scottish\nxyzzy 1 2\njoho isready\nuginewgame\nisready\n")
    assert zoo.lines("readyok") == ["readyok"]
    zoo.send("position startpos moves\nquery p1turn\nisready\nquery legalmoves\n")
    assert zoo.lines("response 48 ")[:2] == ["response true", "readyok"]
    for limit in (
        "nodes 1000",
        "movetime 5",
        "depth 3",
        "p1inc 0 foo 3 p2time 1 p1time 1",
        "p1time p2time 5",
        "",
        "x -1",
    ):
        move = zoo.ask(f"go {limit}", "bestmove ").split()[1]
        assert zoo.ask(f"query islegal {move}", "response") == "response true"
    zoo.send("go infinite\nisready\n")
    assert zoo.lines("readyok") == ["readyok"] and zoo.silent(), "isready must not end the search"
    zoo.send("stop\nstop\n")
    assert zoo.lines("bestmove")[0].startswith("info depth 1 seldepth 1 score cp 0 nodes 1 time ")
    zoo.send("go infinite\nstop\n")
    assert len(zoo.lines("bestmove")) == 2
    assert zoo.silent(), "stop outside a search must be ignored"
    zoo.send("gameover p1win time\nquit\n")
    assert zoo.rest() == b"" and zoo.status() == 0 and zoo.stderr.read() == b""


def test_bad_input_is_answered_by_an_error_and_survived(start: Start) -> None:
    """Impossible positions, illegal moves, unknown options and queries each bring one error line and no end."""
    zoo = start()
    for line in (
        "go nodes 1",
        "position",
        "position fen",
        "position fen 7/7 p1 1",
        "position fen aaaa p3",
        "position startpos moves a1 a1",
        "position fen 9/9/9/9/9/9/9/9/8 p1",
        "query fen",
        "setoption",
        "setoption name Hash value 3",
        "setoption name Seed value x",
        "setoption name Seed",
        "setoption name UGI_Draw value 3",
        "setoption name UGI_Variant value xiangqi",
    ):
        zoo.send(f"{line}\nisready\n")
        assert [said.split()[0] for said in zoo.lines("readyok")] == ["error", "readyok"], line
    zoo.send("position startpos\nquery nonsense\nquery perft -1\nquery\n" + "x" * 20_000 + "\nisready\n")
    assert [said.split()[0] for said in zoo.lines("readyok")] == ["error"] * 3 + ["readyok"]
    assert zoo.ask("go nodes 1", "bestmove") != "bestmove 0000"


@pytest.mark.long
def test_every_variant_is_played_and_its_queries_agree_with_the_rules(start: Start) -> None:
    """In each variant eight plies are legal, and result, legal moves and position string are the rules' own."""
    zoo = start()
    for variant in names():
        game = Game(*resolve(variant))
        zoo.send(f"setoption name UGI_Variant value {variant}\nuginewgame\n")
        for _ in range(8):
            moves = f" moves {' '.join(game.moves)}" if game.moves else ""
            word = zoo.ask(f"position startpos{moves}\ngo nodes 1", "bestmove ").split()[1]
            legal = [move.text for move in game.position.legal_moves()]
            assert word in legal
            if len(game.moves) == 4:
                zoo.send("query legalmoves\nquery fen\nquery result\nquery gameover\nquery perft 1\n")
                expected = (" ".join([str(len(legal)), *legal]), game.position.fen(), "none", "false", str(len(legal)))
                assert [zoo.lines("response")[0] for _ in range(5)] == [f"response {text}" for text in expected]
            game.play(word)
            if game.outcome is not None:
                break


def test_knobs_and_repetition_count(start: Start) -> None:
    """UGI_Rules changes the legal moves, and a third occurrence is a draw whose search finds no move."""
    zoo = start()
    king = "position fen 7/7/3k3/7/7/3a3/7 p2 12"
    assert zoo.ask(f"setoption name UGI_Variant value scottish\n{king}\nquery islegal d5d7", "resp") == "response true"
    assert (
        zoo.ask(f"setoption name UGI_Rules value king_steps=1\n{king}\nquery islegal d5d7", "resp") == "response false"
    )
    shuffle = "position startpos moves" + " d1c1 d3c3 c1d1 c3d3" * 2
    assert zoo.ask(f"setoption name UGI_Rules value <empty>\n{shuffle}\nquery result", "resp") == "response draw"
    assert zoo.ask("query legalmoves", "response") == "response 0"
    assert zoo.ask("go nodes 9", "bestmove") == "bestmove 0000"


@pytest.mark.long
def test_the_seed_decides_the_game(start: Start) -> None:
    """The same seed gives the same moves, whatever was asked before; another seed gives others."""

    def game(seed: int, noise: str) -> list[str]:
        zoo = start()
        zoo.ask(f"setoption name Seed value {seed}\n{noise}\nisready", "readyok")
        played: list[str] = []
        for _ in range(6):
            moves = f" moves {' '.join(played)}" if played else ""
            played.append(zoo.ask(f"position startpos{moves}\ngo nodes 5", "bestmove").split()[1])
        return played

    first = game(7, "position startpos\ngo depth 4\nquery perft 1")
    assert first == game(7, "") and first != game(8, "")


@pytest.mark.parametrize("ending", ["quit", "end", "term"])
@pytest.mark.parametrize("searching", [False, True])
def test_the_correct_engine_ends_when_it_should(start: Start, ending: str, searching: bool) -> None:
    """Quit, the end of the input and SIGTERM end it, idle and in a search."""
    zoo = start()
    zoo.ask("position startpos\n" + ("go infinite\n" if searching else "") + "isready", "readyok")
    if ending == "quit":
        zoo.send("quit\n")
    elif ending == "end":
        zoo.stdin.close()
    else:
        zoo.popen.terminate()
    assert zoo.status() == (-signal.SIGTERM if ending == "term" else 0)


def test_a_closed_output_ends_the_engine(start: Start) -> None:
    """An engine whose reader is gone exits instead of going on for ever."""
    zoo = start()
    zoo.ask("isready", "readyok")
    assert zoo.stdout is not None
    zoo.stdout.close()
    zoo.send("isready\n")
    assert zoo.status() == 0


def test_resigning_and_offering_can_be_asked_for(start: Start) -> None:
    """--resign and --offer let a correct engine resign and offer draws, unless its options forbid it."""
    zoo = start("--offer", "0", "--resign", "1", "--mover", "first")
    zoo.send("position startpos\ngo nodes 1\n")
    assert zoo.lines("bestmove")[-2:] == ["offer draw", "bestmove a1"]
    assert zoo.ask("position startpos moves a1\ngo nodes 1", "bestmove") == "bestmove resign"
    zoo.send("setoption name UGI_Resign value false\nsetoption name UGI_Draw value false\ngo nodes 1\n")
    assert [line.split()[0] for line in zoo.lines("bestmove")] == ["info", "bestmove"]


def test_thinking_stays_within_the_clock(start: Start) -> None:
    """A correct engine told to think for long takes less than its clock or its move time has."""
    zoo = start("--think", "60000")
    for limit in ("movetime 100", "p1time 200 p2time 9 p1inc 0 p2inc 0", "p1time 1 p2time 60000"):
        before = time.monotonic()
        assert zoo.ask(f"position startpos\ngo {limit}", "bestmove")
        assert time.monotonic() - before < 5


# The list, the documents, the command line


def test_the_list_names_every_fault() -> None:
    """--list --json gives each fault with a sentence and verdicts that exist, --list a line for each."""
    done = subprocess.run((*ZOO, "--list", "--json"), env=ENVIRONMENT, capture_output=True, timeout=WAIT_S, check=True)
    listed = json.loads(done.stdout)
    assert listed == as_values() and [row["name"] for row in listed] == list(FAULTS)
    done = subprocess.run((*ZOO, "--list"), env=ENVIRONMENT, capture_output=True, timeout=WAIT_S, check=True)
    assert [line.split()[0] for line in done.stdout.decode().splitlines()] == list(FAULTS)
    for name, fault in FAULTS.items():
        assert fault.__doc__ and sentence(fault).endswith("."), name
        assert fault.verdicts and len(dict(fault.verdicts)) == len(fault.verdicts), name
        assert {phase for phase, _ in fault.verdicts} <= set(PHASES), name
        assert set(fault.needs) <= set(fault.takes), name


def test_every_fault_is_shown() -> None:
    """Beside the one of its verdict, each fault has a test of what it does, or a check that fails for it."""
    source = "".join(path.read_text() for path in Path(__file__).parent.glob("test_[af]*.py"))
    in_table = {row.name for row in ZOO_ROWS}
    assert not [name for name in FAULTS if f'"{name}"' not in source and name not in in_table]


def test_the_words_of_a_forfeit_are_the_protocols() -> None:
    """Every word of a forfeit is a verdict of some fault."""
    assert {str(verdict) for verdict in Verdict} == {str(word) for word in Fault} | {"harmless", "contained"}
    assert {verdict for fault in FAULTS.values() for _, verdict in fault.verdicts} == set(Verdict)


@pytest.mark.parametrize(
    ("arguments", "sentence_part"),
    [
        (("--fault", "bite"), "there is no fault 'bite'"),
        (("--fault", "crlf", "--at", "quit"), "the fault crlf cannot be triggered at quit; it can at handshake"),
        (("--fault", "writes-file"), "the fault writes-file needs --path"),
        (("--fault", "fork-bomb", "--limit", "100000"), "--limit of fork-bomb is 1 to 1000, not 100000"),
        (("--fault", "crlf", "--limit", "3"), "--limit is not for the fault crlf"),
        (("--fault", "connects", "--address", "192.0.2.1:80"), "is not on the loopback"),
        (("--fault", "connects", "--address", "127.0.0.1.example.org:80"), "is not on the loopback"),
        (("--at", "mid"), "--at needs --fault"),
        (("--ply", "-1"), "'-1' is no whole number from 0"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence_part: str
) -> None:
    """What cannot be run is refused with one sentence and exit status 2."""
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (2, "")
    assert sentence_part in err
