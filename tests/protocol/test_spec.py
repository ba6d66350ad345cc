"""SPEC.md is held to what the code does."""

import re
from pathlib import Path

import pytest

import protocol
from arena.games import variants
from arena.games.game import Game
from arena.games.perft import perft
from arena.games.tafl.variants import OPTION_VALUES, STEPS, TAFL
from protocol import commands, grammar, line_buffer, transcript
from protocol.deadlines import Deadlines
from protocol.engine import Engine
from protocol.faults import Fault
from protocol.messages import OPTION_TYPES, Unknown

SPEC = (Path(protocol.__file__ or "").parent / "SPEC.md").read_text()
BLOCKS = re.findall(r"^```transcript\n(.*?)^```", SPEC, re.DOTALL | re.MULTILINE)
CLAUSES = re.findall(r'^<a id="([^"]+)"></a>\*\*([^*]+)\*\* ', SPEC, re.MULTILINE)
COMMANDS = "ugi setoption isready uginewgame position go stop query gameover quit".split()


def clause(number: str) -> str:
    """The text of one clause, up to the next."""
    return SPEC.split(f'<a id="{number}"></a>')[1].split("<a id=")[0]


def test_every_clause_has_one_number_and_the_numbers_run() -> None:
    """Anchors are the numbers, none is missing and none stands twice."""
    assert all(anchor == number for anchor, number in CLAUSES)
    last: dict[str, int] = {}
    for _, number in CLAUSES:
        chapter, part = number.split(".")
        assert int(part) == last.get(chapter, 0) + 1, number
        last[chapter] = int(part)
    assert list(last) == [*map(str, range(1, 15)), "A", "B", "C", "D", "E", "F"]


def test_every_link_leads_to_a_clause() -> None:
    """No link within the text is dead, and neither is a clause that the code cites."""
    anchors = {anchor for anchor, _ in CLAUSES}
    assert set(re.findall(r"\(#([^)]+)\)", SPEC)) <= anchors
    folder = Path(protocol.__file__ or "").parent
    for path in folder.glob("*.py"):
        assert set(re.findall(r"SPEC\.md (\w+\.\d+)", path.read_text())) <= anchors, path


def test_every_transcript_parses() -> None:
    """Each line of each example is known to the reader of its side."""
    assert len(BLOCKS) >= 6
    for block in BLOCKS:
        for line in transcript.read(block):
            if line.direction == "<-":
                assert commands.words_of(line.text.encode())[0] in COMMANDS, line
            else:
                assert not isinstance(grammar.parse(line.text.encode()), Unknown), line


def test_the_games_in_the_transcripts_are_legal() -> None:
    """Every position can be set up, every bestmove can be played and every answer to a query is right."""
    variant, rules = "callanish-9", ""
    games: dict[str, Game] = {}
    asked = played = 0
    question = ""
    for line in (line for block in BLOCKS for line in transcript.read(block)):
        word, *rest = line.text.split()
        if word == "setoption":
            name, value = commands.read_setoption(rest)
            if name == "UGI_Variant":
                variant, rules = value or "", ""
            elif name == "UGI_Rules":
                rules = value or ""
        elif word == "position":
            fen, moves = commands.read_position(rest)
            games[line.name] = Game(*variants.resolve(variant, rules, fen))
            for move in moves:
                games[line.name].play(move)
        elif word == "bestmove" and rest[0] != "resign":
            assert games[line.name].position.find(rest[0]), line
            played += 1
        elif word == "query":
            question = rest[0]
        elif word == "response":
            position = games[line.name].position
            legal = [move.text for move in position.legal_moves()]
            right = {
                "p1turn": str(position.side == "p1").lower(),
                "result": "none" if games[line.name].outcome is None else "",
                "legalmoves": " ".join([str(len(legal)), *legal]),
                "fen": position.fen(),
            }
            assert " ".join(rest) == right[question], line
            asked += 1
    assert asked >= 4 and played >= 8


def test_every_fault_is_in_the_text() -> None:
    """An author finds each word that a verdict may name."""
    for fault in Fault:
        assert re.search(rf"\*\* `{fault}`: ", SPEC), fault


def test_the_figures_in_the_text_are_those_of_the_code() -> None:
    """Caps and default deadlines."""
    deadlines = Deadlines()
    spaced = f"{line_buffer.LINE_CAP:,}".replace(",", " "), f"{line_buffer.TURN_CAP:,}".replace(",", " ")
    assert all(figure in clause("2.5") for figure in spaced)
    assert f"{deadlines.start_ms // 1000} s" in clause("10.2")
    assert f"{deadlines.ready_ms // 1000} s" in clause("10.3")
    assert f"{deadlines.newgame_ms // 1000} s" in clause("10.3")
    assert f"{deadlines.stop_ms // 1000} s" in clause("10.5")
    assert f"{deadlines.quit_ms // 1000} s" in clause("10.7")
    assert all(f"`{kind}`" in clause("3.3") for kind in OPTION_TYPES)
    assert all(f"`{word}`" in clause("8.6") for word in grammar.NO_MOVES)


def test_the_rule_options_of_the_appendix_are_those_of_the_rules() -> None:
    """Every rule option is in the table of A.11 with all its values."""
    listed = {
        option: set(re.findall(r"`([^`]+)`", values))
        for names, values in re.findall(r"^\| (`[^|]+`) \| ([^|]+) \|", clause("A.11"), re.MULTILINE)
        for option in re.findall(r"`([^`]+)`", names)
    }
    steps = {"any"}  # and numbers, which the table does not list one by one
    assert listed == {option: steps if values == STEPS else set(values) for option, values in OPTION_VALUES.items()}


def test_the_variants_of_the_appendix_are_those_of_the_rules() -> None:
    """The rows of A.14 are the tafl variants with their start boards and rule options."""
    table: list[tuple[str, str, str]] = re.findall(
        r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|", clause("A.14"), re.MULTILINE
    )
    rows = {name: (start.strip(), options) for name, start, options in table}
    scottish = dict(TAFL["scottish"].options.items())

    def board(name: str) -> str:
        start = rows[name][0]
        if like := re.match(r"as `([^`]+)`", start):
            return board(like[1])
        if start == "the same":
            names = list(rows)
            return board(names[names.index(name) - 1])
        return start.split("`")[1]

    def options(name: str) -> dict[str, str]:
        text = rows[name][1]
        like = re.match(r"as `([^`]+)`", text)
        return (options(like[1]) if like else scottish) | dict(re.findall(r"([a-z_]+)=([a-z0-9-]+)", text))

    assert dict(re.findall(r"([a-z_]+)=([a-z0-9-]+)", rows["scottish"][1])) == scottish
    listed = {
        name: (f"{board(name)} p2 1" if start.endswith("p2 moves first") else board(name), options(name))
        for name, (start, _) in rows.items()
    }
    variants_of_code = {
        name: (variant.start.removesuffix(" p1 1"), dict(variant.options.items())) for name, variant in TAFL.items()
    }
    assert listed == variants_of_code
    assert {name for name, variant in TAFL.items() if " p2 " in variant.start} == {*Engine.p2_first}


def test_the_games_of_the_appendix_are_those_of_the_rules() -> None:
    """Names and the first counts agree with what the referee plays."""
    numbered = {f"callanish-{side}" for side in range(5, 26, 2)}
    named = set(re.findall(r"`([a-z0-9-]+)`", clause("5.1")))
    assert named | numbered == set(variants.names())
    rows = re.findall(r"^\| `([^|]+)` \| (\d+) \| (\d+) \|", clause("A.15"), re.MULTILINE)
    assert len(rows) >= 6
    for names, one, two in rows:
        for name in names.split("`, `"):
            start = variants.find(name).start()
            assert (perft(start, 1), perft(start, 2)) == (int(one), int(two)), name


@pytest.mark.parametrize("variant", ["callanish-7", "scottish"])
def test_the_engine_of_the_annex_plays(variant: str) -> None:
    """The Python example is whole: what it defines searches, and gives a legal move."""
    (code,) = re.findall(r"^```python\n(.*?)^```", SPEC, re.DOTALL | re.MULTILINE)
    space: dict[str, object] = {"__name__": "example"}
    exec(code.replace("\nrun(Mine())", ""), space)
    engine = space["Mine"]
    assert isinstance(engine, type) and issubclass(engine, Engine)
    root = commands.Root(variant, "", None, ())
    move = engine().search(root, None)  # type: ignore[arg-type]  # the example asks its search for nothing
    assert variants.find(variant).start().find(move)
