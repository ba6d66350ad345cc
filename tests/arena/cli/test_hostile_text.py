"""Names and texts of strangers are harmless wherever they are printed."""

import csv
import io
import json
import re
import unicodedata
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from arena.cli.run.live_view import View
from arena.imports import pgn_reader
from arena.play.snapshots import Thought
from arena.run.events import GameEnded, Withdrawn
from results import safe_text
from results.record import Evidence, Player, Run, Termination
from results.store.store import Store
from tests.arena.cli.conftest import Arena, record
from tests.arena.live.made import GAME, Told

NASTY = (
    "\x1b]0;owned\x07\x1b[2J\x1b[31mred\nFORGED line\r\nFORGED",
    "\u202eesrever\u2066\u200b\ufeff</text><script>alert(1)</script>&'\"]]>",
    '=HYPERLINK("http://x.example","y")\x00\x08\x7f\x85\x9b31m\u2028\ufffe',
    '"] } ) ; % [/red][link=x]\t{\\',
    "@SUM(1)\t+1\t-1",
)
"""What steers a terminal, forges lines, turns directions, is a formula, a markup, or no character of XML."""
ENGINE = r"""#!/bin/sh
while read -r word rest; do
    case $word in
        ugi) printf 'id name \033[2J\033]0;x\007 \342\200\256x\nid author \033[2J\n'
             printf 'option name \033[2J type string default \033[2J\n'
             printf 'option name UGI_Variant type combo default scottish var scottish\nugiok\n' ;;
        isready) printf 'error \033[2J\nreadyok\n' ;;
        go) printf '\033[2J\r\nFORGED\n' >&2; printf 'info depth 1 string \033[2J\nbestmove \033[2J\n' ;;
        quit) exit ;;
    esac
done
"""
NAMES = st.text(st.one_of(st.sampled_from("\x1b\n\r\t\0\u202e\u2028=+-@<>&\"'{}[]\\;%"), st.characters()), min_size=1)
FORMULAS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")


def is_harmless(text: str) -> bool:
    """No sign of it steers a terminal, turns directions or shows nothing; no line was forged."""
    odd = [c for c in text if c != "\n" and not c.isprintable() and unicodedata.category(c) != "Zs"]
    return not odd and not re.search(r"^FORGED", text, re.MULTILINE)


def check_csv(text: str) -> None:
    """No cell is a formula, and no control character is left."""
    assert is_harmless(text)
    for row in csv.reader(io.StringIO(text)):
        for cell in row:
            assert not cell.lstrip().startswith(FORMULAS) or re.fullmatch(r"-|[+-]?\d+(\.\d+)?", cell), cell


def check_json(text: str) -> None:
    """Each line is JSON, in ASCII."""
    assert text.isascii() and is_harmless(text)
    for line in text.splitlines():
        json.loads(line)


def hostile_db(path: Path, names: tuple[str, ...]) -> Path:
    """Games whose every text is hostile."""
    with Store.create_or_open(path) as store:
        players = [Player(name, name, name, (name,), name) for name in names]
        versions = json.dumps({"arena": names[0]})
        run = Run("aa11", names[0], "match", names[1], json.dumps({"name": names[0]}), 7, 99, names[2], versions)
        store.add_run(run, players)
        number = 0
        for turn, one in enumerate(names):
            two = names[(turn + 1) % len(names)]
            for p1, p2 in ((one, two), (two, one)):
                number += 1
                won = record("aa11", number, "p1" if turn % 3 else "p2", Termination.TIME)
                said = Evidence("p2", "time", f"said {one}", f"exit {two}", (one, two), f"{one}\n{two}")
                game = replace(won, p1=p1, p2=p2, detail=f"d {one}", tc=f"t {two}", host=one, evidence=said)
                store.add_game(game)
        store.keep_withdrawn("aa11", {names[0]: f"because {names[1]}"})
    return path


def check_commands(arena: Arena, db: Path, names: tuple[str, ...], folder: Path) -> None:
    """Every command that reads a database prints it harmless, in each of its forms."""
    words: list[tuple[str | Path, ...]] = [
        ("standings", db, "--wide", "--by", "tc"),
        ("standings", db, "--anchor", names[-1]),
        ("standings", db, "--anchor", f"no {names[0]}"),
        ("standings", db, "--run", f"no {names[1]}"),
        ("standings", db, "--crosstable"),
        ("games", db),
        ("games", db, "--engine", f"no {names[1]}"),
        ("stats", db),
        ("show", db, "1", "--svg", folder / "board.svg"),
        ("show", db, "2"),
        ("export", db, "--format", "text"),
        ("export", db, "--format", "fen"),
        ("merge", folder / "merged.db", db, folder / f"no {names[4].replace('/', '')}".replace("\0", "")),
    ]
    for each in words:
        shown = arena(*each)
        assert not shown.exception or isinstance(shown.exception, SystemExit), (each, shown.exception)
        assert is_harmless(shown.stdout), (each, shown.stdout)
        assert is_harmless(shown.stderr), (each, shown.stderr)
        assert shown.stdout or shown.stderr
        assert shown.exit_code in (0, 2) and (shown.exit_code == 0) == ("no " not in str(each)), (each, shown.stderr)
    ET.parse(folder / "board.svg")
    for words_of_csv in (("games", db, "--csv"), ("stats", db, "--csv"), ("export", db, "--format", "csv")):
        check_csv(arena(*words_of_csv).stdout)
    for command in (("standings", db), ("standings", db, "--crosstable"), ("games", db), ("stats", db)):
        check_json(arena(*command, "--json").stdout)
    check_json(arena("export", db, "--format", "jsonl").stdout)
    text = arena("export", db, "--format", "pgn").stdout
    assert is_harmless(text)
    games = list(pgn_reader.read(text))
    assert len(games) == 2 * len(names) and {len(game.moves) for game in games} == {6}
    assert all(re.fullmatch(r'\[\w+ "([^"\\]|\\.)*"\]', line) for line in text.splitlines() if line.startswith("["))


def test_what_a_database_holds_is_printed_harmless(arena: Arena, tmp_path: Path) -> None:
    """By every command, for terminal, SVG, HTML, CSV, PGN and JSON."""
    check_commands(arena, hostile_db(tmp_path / "it.db", NASTY), NASTY, tmp_path)


def test_what_a_file_holds_is_harmless_when_it_is_refused_and_when_it_is_taken(arena: Arena, tmp_path: Path) -> None:
    """Names of players, events, hosts, moves and variants in JSON lines and in PGN."""
    good = {"variant": "scottish", "moves": ["d1c1"], "winner": "p1", "termination": "resignation"}
    lines = []
    for number, name in enumerate(NASTY, 1):
        lines.append({**good, "id": f"{number}-1", "run": name, "p1": name, "p2": f"x{name}", "host": name, "tc": name})
    taken = tmp_path / "taken.jsonl"
    taken.write_text("".join(json.dumps(line) + "\n" for line in lines))
    db = tmp_path / "taken.db"
    result = arena("import", taken, "--into", db)
    assert result.exit_code == 0, result.stderr
    for command in (("standings", db), ("games", db), ("export", db, "--format", "text")):
        assert is_harmless(arena(*command).stdout)
    for name in NASTY:
        bad = [{**good, key: name} for key in ("variant", "winner", "termination", "id", "fen", name)]
        bad += [{**good, "moves": [name]}, {**good, "p1": name, "p2": name, "round": name}, {name: name}]
        refused = tmp_path / "refused.jsonl"
        refused.write_text("".join(json.dumps(line) + "\n" for line in bad))
        for words in (("import", refused, "--into", tmp_path / "no.db"), ("verify", refused)):
            shown = arena(*words)
            assert isinstance(shown.exception, SystemExit), shown.exception
            assert shown.exit_code and is_harmless(shown.stdout) and is_harmless(shown.stderr)
        told = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
        for pgn in (f'[Variant "{told}"]\n\n1. {name} *\n', f'[Variant "scottish"]\n[Result "{told}"]\n\n1. d1c1 *\n'):
            (tmp_path / "it.pgn").write_text(pgn)
            shown = arena("import", tmp_path / "it.pgn", "--into", tmp_path / "no.db")
            assert isinstance(shown.exception, SystemExit), shown.exception
            assert is_harmless(shown.stderr), shown.stderr


def test_what_an_engine_says_is_printed_harmless(arena: Arena, tmp_path: Path) -> None:
    """Its name, its options, its last words, its moves and its dialogue."""
    engine, db = tmp_path / "engine", tmp_path / "it.db"
    engine.write_text(ENGINE)
    engine.chmod(0o755)
    shown = arena("engines", "show", engine, "--contain", "none")
    assert shown.exit_code == 0 and is_harmless(shown.stdout + shown.stderr) and r"\x1b[2J" in shown.stdout
    check_json(arena("engines", "show", engine, "--contain", "none", "--json").stdout)
    words = ("match", engine, engine, "--db", db, "--contain", "none", "--nodes", "1", "--games", "2", "--no-pin")
    played = arena(*words, "--variant", "scottish", "--concurrency", "1")
    assert played.exit_code == 0, played.stderr
    shown = arena("show", db, "1")
    for text in (played.stdout, played.stderr, shown.stdout, arena("games", db).stdout):
        assert is_harmless(text)
    assert shown.stdout.count(r"\x1b[2J") >= 4, shown.stdout  # in the verdict, the dialogue and on stderr


def test_the_live_screen_is_steered_by_nobody() -> None:
    """Names are no markup there either."""
    told = Told()
    for number, name in enumerate(NASTY, 1):
        game = replace(record("aa11", number, "p1", Termination.TIME), p1=name, p2=f"x{name}", variant=name)
        told.hear(GameEnded(0, game))
    told.hear(Withdrawn(NASTY[1], NASTY[2]))
    told.say("status", status=[NASTY])
    playing = [
        replace(GAME, slot=slot, p1=name, variant=variant, last=name, thoughts=(Thought(name, line=name), Thought()))
        for slot, name in enumerate(NASTY)
        for variant in (GAME.variant, name)
    ]
    run = replace(told.run, playing=tuple(playing))
    screen = Console(file=io.StringIO(), width=200, height=200)
    screen.print(View(lambda: run, lambda: 0))
    assert isinstance(screen.file, io.StringIO) and is_harmless(screen.file.getvalue())


@given(NAMES)
def test_each_kind_of_output_has_its_function(text: str) -> None:
    """What it makes holds nothing of another meaning in that output."""
    assert is_harmless(safe_text.harmless(text).replace("FORGED", "")) and "\n" not in safe_text.harmless(text)
    assert safe_text.harmless(safe_text.harmless(text)) == safe_text.harmless(text)
    assert ET.fromstring(f"<a b='{safe_text.xml(text)}'>{safe_text.xml(text)}</a>").text == safe_text.harmless(text)
    out = io.StringIO()
    csv.writer(out).writerow(safe_text.csv_row([text, 5, None]))
    check_csv(out.getvalue().replace("FORGED", "").replace("\r\n", "\n"))
    (game,) = pgn_reader.read(f'[White "{safe_text.pgn_tag(text)}"]\n\n{safe_text.pgn_word("d1")} *\n')
    assert list(game.tags) == ["White"]
    word = safe_text.pgn_word(text)
    assert word and not set(word) & set(' \n\r\t{}[]();%$"*\x1b')
