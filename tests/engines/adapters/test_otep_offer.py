"""Our engines offered to OpenTafl: what it commands, what our engine is asked, what it gets."""

import os
import sys
from collections import deque

from engines.adapters.line_process import LineProcess
from engines.adapters.otep_offer import OtepEngine

CROSS = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
RULES = f"rules dim:7 name:Brandub surf:n atkf:y ks:w cenh: cenhe: start:{CROSS}"


class OurEngine:
    """An engine of ours that keeps what it is sent and answers each `go` with what a test wants."""

    name = "Ours"

    def __init__(self) -> None:
        self.choices: dict[str, tuple[str, ...]] = {"UGI_Variant": ("scottish", "brandub"), "UGI_Rules": ()}
        self.sent: list[str] = []
        self.answers: deque[str] = deque()
        self.said: deque[str] = deque()
        self.input_waits = False

    def set(self, name: str, value: str) -> None:
        self.sent.append(f"{name}={value}")

    def send(self, line: str) -> None:
        self.sent.append(line)
        if line.startswith("go ") and self.answers:
            self.said.extend(self.answers.popleft().split("\n"))
        if line == "stop":
            self.said.append("bestmove d1e1")

    def ready(self) -> None:
        pass

    def wait_for(self, other: int) -> bool:
        waits, self.input_waits = self.input_waits, False
        return waits

    def read(self, timeout_s: float) -> str | None:
        return self.said.popleft() if self.said else None


class Table:
    """Both ends: what OpenTafl sends, and what it gets."""

    def __init__(self, *answers: str) -> None:
        self.ours = OurEngine()
        self.ours.answers += answers

    def play(self, *lines: str) -> list[str]:
        """Send these lines and the end of the input, and return what the engine said."""
        heard, to = os.pipe()
        answers, out = os.pipe()
        os.write(to, "".join(f"{line}\n" for line in lines).encode())
        os.close(to)
        OtepEngine(self.ours, 5000, heard, out).run()  # type: ignore[arg-type]
        os.close(heard)
        os.close(out)
        with open(answers) as said:
            return said.read().splitlines()

    def asked(self) -> list[str]:
        """The positions and searches that our engine was asked for."""
        return [line for line in self.ours.sent if line.split()[0] in ("position", "go", "stop")]


def test_a_game_is_played_as_opentafl_commands_it() -> None:
    """Rules become a variant with rule options, its moves are ours, and each `play` gets a move."""
    table = Table("info score cp 12 pv d1e1\nbestmove d1e1", "bestmove e1d1")
    after = "/4t2/3t3/2T4/ttTKTtt/3T3/3t3/3t3/"
    said = table.play(RULES, "clock 3000* 3000* 3 5 5", "play attackers", "move /4t2/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
                      f"opponent-move d3-c3 {after}", "play attackers", "goodbye")  # fmt: skip
    assert said == ["move d1-e1", "move e1-d1"]
    assert table.ours.sent[:2] == ["UGI_Variant=brandub", "UGI_Rules="]
    start = "position fen 3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"
    assert table.asked() == [start, "go movetime 2700", f"{start} moves d1e1 d3c3", "go movetime 2700"]


def test_the_clock_becomes_a_limit() -> None:
    """Main time is for the rest of the game, a period of overtime for this move."""
    for clock, go in (
        ("clock 60000 50000 10 3 3", "go p1time 60000 p2time 50000 p1inc 0 p2inc 0"),
        ("clock 10000* 60000 10 2 3", "go movetime 9700"),
        ("clock nonsense", "go movetime 5000"),
        (f"clock {'9' * 5000} 60000 3 5 5", "go movetime 5000"),
    ):
        table = Table("bestmove d1e1")
        table.play(RULES, clock, "play attackers")
        assert table.asked()[-1] == go


def test_opentafls_board_counts() -> None:
    """Where our rules would leave another board, the game goes on from OpenTafl's."""
    table = Table("bestmove e1d1")
    table.play(RULES, "opponent-move d1-e1 /4t2/7/3T3/ttTKTtt/3T3/3t3/3t3/", "play attackers")
    assert table.asked()[0] == "position fen 3a3/3a3/3d3/aadkdaa/3d3/7/4a2 p1 1"


def test_an_engine_that_gives_no_move_is_a_critical_error() -> None:
    """OTEP has no word for it. OpenTafl is told in a sentence, and the adapter goes on."""
    for word in ("resign", "0000", "D1E1"):
        said = Table(f"bestmove {word}", "bestmove d1e1").play(RULES, "play attackers", "play attackers", "goodbye")
        assert said == [f"error -1 OpenTafl has no move like {word!r}", "move d1-e1"]


def test_what_it_cannot_play_is_a_critical_error() -> None:
    """Other rules, a board that our engine does not have, a game without rules: one line each."""
    for rules in ("rules dim:7 ber:m start:" + CROSS, "rules dim:9 start:/9/9/9/9/4K4/9/9/9/9/", "play attackers"):
        (said,) = Table().play(rules, "goodbye")
        assert said.startswith("error -1 ")


def test_a_real_engine_is_offered_over_pipes() -> None:
    """The program says `hello`, plays a legal move and ends at `goodbye`."""
    offered = LineProcess([sys.executable, "-P", "-m", "engines.adapters.otep_offer",
                           sys.executable, "-P", "-m", "engines.random"])  # fmt: skip
    try:
        for line in (RULES, "clock 2000* 2000* 2 5 5", "play attackers"):
            offered.send(line)
        assert offered.read(60) == "hello"
        assert (offered.read(60) or "").startswith("move ")
        offered.send("goodbye")
    finally:
        offered.close()
