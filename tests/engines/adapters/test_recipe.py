"""docs/authors/OTHER_PROTOCOLS.md and HTP.md: the table and the adapters do what the pages say."""

import re
import sys
from pathlib import Path

import pytest

from engines.adapters.line_process import ProgramEnded
from engines.adapters.uci import read_table
from engines.adapters.ugi_client import UgiClient

AUTHORS = Path(__file__).parents[3] / "docs" / "authors"
ENGINE = """
import sys
for line in sys.stdin:
    print("MOVE D1E1" if line == "START\\n" else f"MOVE {dict(D1E1='D3E3')[line.split()[-1]]}", flush=True)
"""


HTP_ENGINE = """
import sys
told = []
for line in sys.stdin:
    told = [*told, line] if line.startswith("play") else [] if line.startswith("board") else told
    move = ("attacker D1 D2", "attacker D2 D3")[len(told) // 2]
    answer = f"= play {move}" if line.startswith("generate") else "= "
    print("? you already reached that position" if "j4" in line else answer, end="\\n\\n", flush=True)
"""


def block(language: str, page: str = "OTHER_PROTOCOLS.md") -> str:
    """The one block of this language on the page."""
    (text,) = re.findall(rf"```{language}\n(.*?)```", (AUTHORS / page).read_text(encoding="utf-8"), re.DOTALL)
    return str(text)


def test_the_table_speaks_as_taflzero_does(tmp_path: Path) -> None:
    """What its source reads and writes: `position fen BOARD a|d moves ...`, no ucinewgame, moves as ours."""
    table = block("toml")
    assert len(table.splitlines()) <= 40
    (tmp_path / "taflzero.toml").write_text(table)
    words = read_table(str(tmp_path / "taflzero.toml"))
    board = "3aaaaa3/5a5/11/a4d4a/a3ddd3a/aa1ddkdd1aa/a3ddd3a/a4d4a/11/5a5/3aaaaa3"
    assert words.theirs("ugi") == ["uci"] and words.theirs("uginewgame") == []
    assert words.theirs(f"position fen {board} p1 1 moves d1d3 f4g4") == [f"position fen {board} a moves d1d3 f4g4"]
    assert words.theirs(f"position fen {board} p2 3") == [f"position fen {board} d"]
    assert words.theirs("go movetime 300") == ["go movetime 300"]
    assert words.ours("bestmove d1d3") == ["bestmove d1d3"] and words.ours("bestmove (none)") == ["bestmove 0000"]


def test_the_adapter_of_the_page_plays(tmp_path: Path) -> None:
    """As it stands there, in front of an engine that shouts."""
    (tmp_path / "shout.py").write_text(block("python"))
    (tmp_path / "engine.py").write_text(ENGINE)
    adapter = UgiClient([sys.executable, str(tmp_path / "shout.py"), sys.executable, str(tmp_path / "engine.py")])
    try:
        for moves, move in (("", "d1e1"), (" moves d1e1", "d3e3")):
            adapter.send(f"position startpos{moves}")
            adapter.ready()
            adapter.send("go movetime 1000")
            assert adapter.read(20) == f"bestmove {move}"
    finally:
        adapter.close()


def test_the_adapter_for_htp_plays(tmp_path: Path) -> None:
    """It tells the moves that are new, gives the answer as a move, and ends where the engine refuses one."""
    (tmp_path / "htp.py").write_text(block("python", "HTP.md"))
    (tmp_path / "engine.py").write_text(HTP_ENGINE)
    adapter = UgiClient([sys.executable, str(tmp_path / "htp.py"), sys.executable, str(tmp_path / "engine.py")])
    try:
        adapter.set("UGI_Rules", "repetition=forbidden-p2")
        for moves, move in (("", "d1d2"), (" moves d1d2 f4g4", "d2d3")):
            adapter.send(f"position startpos{moves}")
            adapter.ready()
            adapter.send("go movetime 1000")
            assert adapter.read(20) == f"bestmove {move}"
        adapter.send("position startpos moves k4j4 f4g4")
        adapter.ready()
        adapter.send("go movetime 1000")
        with pytest.raises(ProgramEnded):
            adapter.read(20)
    finally:
        adapter.close()
