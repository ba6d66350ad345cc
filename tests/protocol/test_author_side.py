"""The loop that an author gets: dialogues over two pipes in this process, and one over a real one."""

import os
import subprocess
import sys
import time
from pathlib import Path

from protocol.engine import Engine, Limits, Option, Root, Search, serve

ROOT = Path(__file__).parents[2]


class Fox(Engine):
    """Says what it was asked as an info string and plays d1d3."""

    name = "Fox"
    author = "A. Author"
    version = "1.2"
    variants = ("scottish", "brandub")
    queries = ("fen",)
    options = (
        Option("Hash Size", "spin", "64", min=1, max=128),
        Option("Style", "combo", "Solid", choices=("Solid", "Very Wild")),
        Option("UGI_GameOver", "check", "true"),
        Option("Clear", "button"),
        Option("Book", "string"),
        Option("Level", "spin", "1", max=9),
    )

    def __init__(self) -> None:
        self.told: list[str] = []
        self.roots: list[Root] = []
        self.limits: list[Limits] = []

    def new_game(self) -> None:
        self.told.append("new game")

    def set_option(self, name: str, value: str) -> None:
        self.told.append(f"{name}={value}")

    def game_over(self, text: str) -> None:
        self.told.append(f"over: {text}")

    def check(self, root: Root) -> None:
        if "bad" in root.moves:
            raise ValueError("bad is no move\nquit")

    def search(self, root: Root, search: Search) -> str:
        self.roots.append(root)
        self.limits.append(search.limits)
        if "bad" in root.moves:
            raise ValueError("cannot search this")
        return "d1d3"

    def query(self, root: Root, words: tuple[str, ...]) -> str | None:
        return root.fen or "start" if words == ("fen",) else None


class Early(Fox):
    """Tells for which variant it was asked to make its tables."""

    def prepare(self, root: Root) -> None:
        self.told.append(f"prepare {root.variant} {len(root.moves)}")


def test_tables_are_made_before_the_first_readyok_of_a_game() -> None:
    """The variant has been told by then, and no clock runs. Later isreadys of the game make nothing again."""
    early = Early()
    talk(
        early,
        "isready\nsetoption name UGI_Variant value brandub\nuginewgame\nisready\n"
        "position startpos moves d1c1\nisready\nuginewgame\nisready\n",
    )
    assert early.told == ["new game", "prepare brandub 0", "new game", "prepare brandub 0"]


def talk(engine: Engine, text: str | bytes) -> list[str]:
    """What the engine says to this input, which then ends."""
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    try:
        os.write(in_write, text.encode() if isinstance(text, str) else text)
        os.close(in_write)
        serve(engine, in_read, out_write)
        os.close(out_write)
        with os.fdopen(out_read, "rb") as output:
            return output.read().decode().splitlines()
    finally:
        os.close(in_read)


def test_the_handshake_announces_what_the_class_says() -> None:
    """Games, rules and queries by the options of SPEC.md 4.5, then its own; asked twice, told twice."""
    said = talk(Fox(), "ugi\n")
    assert said == [
        "id name Fox",
        "id author A. Author",
        "id version 1.2",
        "option name UGI_Variant type combo default scottish var scottish var brandub",
        "option name UGI_Rules type string default <empty>",
        "option name UGI_Queries type string default fen",
        "option name Hash Size type spin default 64 min 1 max 128",
        "option name Style type combo default Solid var Solid var Very Wild",
        "option name UGI_GameOver type check default true",
        "option name Clear type button",
        "option name Book type string default <empty>",
        "option name Level type spin default 1 max 9",
        "ugiok",
    ]
    assert talk(Fox(), "ugi\nugi\n") == said * 2
    assert talk(Engine(), "ugi\n") == ["id name unnamed", "id author unknown", "ugiok"]


def test_options_arrive_checked_and_in_their_own_spelling() -> None:
    """Case does not matter; what is out of range, unknown or without a value is an error and changes nothing."""
    fox = Fox()
    said = talk(
        fox,
        "setoption name hash size value 8\nsetoption name STYLE value very wild\nsetoption name clear\n"
        "setoption name Book value a  b\nsetoption name Book value <empty>\n"
        "setoption name hash size value 1\nsetoption name hash size value 128\nsetoption name Hash Size value 0\n"
        "setoption name Hash Size value 129\nsetoption name Hash Size value x\nsetoption name Hash Size\n"
        "setoption name Style value tame\nsetoption name Nothing value 1\nsetoption\nisready\n",
    )
    assert fox.told == ["Hash Size=8", "Style=Very Wild", "Clear=", "Book=a b", "Book=", "Hash Size=1", "Hash Size=128"]
    assert [line.split()[0] for line in said] == ["error"] * 7 + ["readyok"]


def test_the_root_has_variant_rules_position_and_moves() -> None:
    """Each position replaces the one before; a new game starts from nothing; options stay."""
    fox = Fox()
    said = talk(
        fox,
        "go depth 1\nsetoption name UGI_Variant value BRANDUB\nsetoption name UGI_Rules value king_steps=2\n"
        "position fen 7/7 p2 4 moves a1a2\ngo depth 1\nposition startpos moves\ngo depth 1\n"
        "position startpos moves d1c1\nuginewgame\ngo depth 1\n",
    )
    assert said == ["bestmove d1d3"] * 4
    assert fox.roots == [
        Root("scottish", "", None, ()),
        Root("brandub", "king_steps=2", "7/7 p2 4", ("a1a2",)),
        Root("brandub", "king_steps=2", None, ()),
        Root("brandub", "king_steps=2", None, ()),
    ]
    assert fox.told == ["new game"]


def test_an_impossible_position_is_an_error_and_no_death() -> None:
    """The sentence stays one line, isready is answered, a search says 0000, a good position works again."""
    said = talk(
        Fox(),
        "position startpos moves bad\nisready\ngo depth 1\nposition nowhere\nposition\nposition startpos\ngo depth 1\n",
    )
    assert said == [
        "error bad is no move quit",
        "readyok",
        "error cannot search this",
        "bestmove 0000",
        "error position needs `startpos` or `fen` and a position string, not 'nowhere'",
        "error position needs `startpos` or `fen` and a position string, not 'nothing'",
        "bestmove d1d3",
    ]


def test_lines_are_read_however_they_come() -> None:
    """CRLF, tabs, blanks, blank lines, NULs, junk and unknown words; a line without its newline was not said."""
    junk = b"x" * 200_000
    said = talk(
        Fox(), b"\r\n  \t\n isready\r\n\tisready \0\nxyzzy 1 2\n\xff\xfe\n" + junk[:30_000] + b"\nisready\nisready"
    )
    assert said == ["readyok"] * 3


def test_questions_are_answered_in_order() -> None:
    """Also where all come in one write."""
    said = talk(
        Fox(), "position startpos moves a1a2\nquery p1turn\nisready\nquery fen\nquery foo\ngo nodes 1\nisready\n"
    )
    assert said == [
        "response false",
        "readyok",
        "response start",
        "error cannot answer query 'foo'",
        "bestmove d1d3",
        "readyok",
    ]


def test_quit_and_the_end_of_input_end_the_loop() -> None:
    """Nothing behind quit is looked at; gameover is passed on."""
    fox = Fox()
    assert talk(fox, "gameover p1win line\nquit\nisready\n") == []
    assert fox.told == ["over: p1win line"]


class Thinker(Engine):
    """Searches until it is told to stop."""

    def __init__(self) -> None:
        self.looks = 0

    def search(self, root: Root, search: Search) -> str:
        give_up = time.monotonic() + 20
        while not search.stopped() and time.monotonic() < give_up:
            self.looks += 1
        assert search.stopped(), "was never told to stop"
        return "a1a2"


def test_a_search_is_stopped_and_answers_meanwhile() -> None:
    """isready in a search at once, one bestmove for each go, quit and the end of input stop it too."""
    for text, said in (
        ("go infinite\nisready\nisready\nstop\nisready\n", ["readyok", "readyok", "bestmove a1a2", "readyok"]),
        ("go infinite\nstop\n", ["bestmove a1a2"]),
        ("stop\ngo infinite\nstop\nstop\n", ["bestmove a1a2"]),
        ("go infinite\nquit\n", ["bestmove a1a2"]),
        ("go infinite\n", ["bestmove a1a2"]),
        ("go infinite\nposition startpos\nstop\nisready\n", ["bestmove a1a2", "readyok"]),
        (
            "go infinite\nstop\ngo infinite\nisready\nstop\nisready\n",
            ["bestmove a1a2", "readyok", "bestmove a1a2", "readyok"],
        ),
    ):
        assert talk(Thinker(), text) == said


def test_a_move_found_early_is_held_back_under_go_infinite() -> None:
    """isready is answered first, the bestmove waits for stop."""
    assert talk(Fox(), "go infinite\nisready\nstop\n") == ["readyok", "bestmove d1d3"]


def test_info_is_written_in_the_words_of_the_protocol() -> None:
    """Figures, then the line; a string on a line of its own; an offer directly before the move."""

    class Talker(Engine):
        def search(self, root: Root, search: Search) -> str:
            search.info(depth=3, score_cp=-7, nodes=500, time_ms=10, pv=("a1", "b2"))
            search.info(score_mate=4, time_ms=0, nodes=1)
            search.info(string="two\nlines")
            search.offer_draw()
            assert search.elapsed_ms() >= 0
            return "a1"

    assert talk(Talker(), "go depth 3\n") == [
        "info depth 3 score cp -7 nodes 500 time 10 nps 50000 pv a1 b2",
        "info score mate 4 nodes 1 time 0",
        "info string two lines",
        "offer draw",
        "bestmove a1",
    ]


def test_an_engine_runs_on_its_own_stdin_and_stdout() -> None:
    """`run` as an author calls it; exit status 0, nothing on stderr, and none of the slow imports at start-up."""
    code = (
        "import sys\nfrom protocol.engine import Engine, run\n"
        "class Mine(Engine):\n    def search(self, root, search): return 'd1d3'\n"
        "heavy = {'typing', 're', 'dataclasses', 'enum', 'inspect', 'collections'} & set(sys.modules)\n"
        "sys.stderr.write(' '.join(sorted(heavy)))\nrun(Mine())"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        input=b"ugi\ngo depth 1\nquit\n",
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0 and done.stderr == b""
    assert done.stdout == b"id name unnamed\nid author unknown\nugiok\nbestmove d1d3\n"
