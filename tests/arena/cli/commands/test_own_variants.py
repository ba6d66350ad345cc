"""Variants of users' own wherever a variant is asked for."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from arena.openings.books import Start
from arena.planning.introductions import variant_refusal
from arena.play.jobs import EngineSpec
from protocol.messages import OptionLine
from protocol.session import Identity
from tests.arena.cli.conftest import Arena
from tests.arena.conftest import cup
from tests.arena.games.own_variants import HALL_FILE, LOCHS_FILE

QUICK = ("--nodes", "5", "--max-plies", "8", "--seed", "3", "--concurrency", "1", "--no-pin", "--contain", "none")
LOCHS = "callanish:name=two-lochs,board=9/9/2**5/2**5/9/5**2/5**2/9/9"
HALL_BOARD = "2aa1aa2/4a4/a3d3a/a2ddd2a/1a1dkd1a1/a2ddd2a/a3d3a/4a4/2aa1aa2"


@pytest.fixture
def here(quick: None, arena: Arena) -> Arena:
    """The command line in this process, typed in a folder that has the examples."""
    Path("two-lochs.toml").write_text(LOCHS_FILE)
    Path("kings-hall.toml").write_text(HALL_FILE)
    return arena


def changed_lochs() -> None:
    """Make another board of the file of two-lochs."""
    file = Path("two-lochs.toml")
    file.write_text(file.read_text(encoding="utf-8").replace("..**.....", "*........", 1), encoding="utf-8")


def good(arena: Arena, *words: object) -> str:
    done = arena(*words)
    assert done.exit_code == 0, done.stderr
    return str(done.stdout)


def refused(arena: Arena, *words: object) -> str:
    """The one sentence with which a command ends."""
    done = arena(*words)
    assert done.exit_code == 2
    sentence = str(done.stderr).splitlines()[-1]
    assert sentence.startswith("arena: ")
    return sentence


def games_of(arena: Arena, db: str, *words: object) -> list[dict[str, Any]]:
    return [json.loads(line) for line in good(arena, "games", db, "--json", *words).splitlines()]


def test_games_are_read_and_go_on_without_the_file(here: Arena) -> None:
    """Once it is gone, its games are shown, exported, imported and verified, and more of them are played."""
    match = ("match", "greedy", "random", "--games", "2", "--db", "own.db", *QUICK)
    good(here, *match, "--variant", "two-lochs.toml")
    Path("two-lochs.toml").unlink()
    (one, two) = games_of(here, "own.db", "--variant", "two-lochs")
    assert one["variant"] == two["variant"] == LOCHS
    assert " two-lochs " in good(here, "games", "own.db")
    shown = good(here, "show", "own.db", one["id"], "--ply", "0")
    assert "variant  two-lochs\n" in shown and "▒" in shown
    for form in ("jsonl", "pgn"):
        good(here, "export", "own.db", "--format", form, "--output", f"own.{form}")
        assert "2 records checked, all agree" in good(here, "verify", f"own.{form}")
        good(here, "import", f"own.{form}", "--into", f"{form}.db")
        assert [game["variant"] for game in games_of(here, f"{form}.db")] == [LOCHS] * 2
    assert "0 games to play, seed 3, 2 already there" in here(*match, "--variant", LOCHS).stderr


def test_a_tournament_file_names_variants_in_its_own_folder(
    here: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the command is typed; beside shipped variants, and with a book for one of one's own."""
    good(here, *"openings make --variant two-lochs.toml --count 2 --plies 2 --seed 1 --output book.txt".split())
    assert "2 openings of 2 plies" in good(here, "openings", "check", "book.txt", "--variant", "two-lochs.toml")
    book = 'book = { "two-lochs.toml" = "book.txt", callanish-7 = "default" }'
    variants = {"variants": ["two-lochs.toml", "callanish-7"], "more": book}
    Path("cup.toml").write_text(cup("greedy", "random", nodes=5, max_plies=8, seed=3, **variants))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    good(here, "tournament", "../cup.toml", "--db", "cup.db", "--no-smoke", "--no-pin", "--quiet")
    assert [game["variant"] for game in games_of(here, "cup.db")] == [*[LOCHS] * 2, *["callanish-7"] * 2]


def test_another_variant_of_the_same_name_is_refused_in_one_database(here: Arena) -> None:
    """Played or imported: their games would be rated together. Nothing is added."""
    match = ("match", "greedy", "random", "--variant", "two-lochs.toml", "--games", "2", *QUICK)
    good(here, *match, "--db", "own.db")
    changed_lochs()
    sentence = refused(here, *match, "--db", "own.db")
    assert "own.db has games of another 'two-lochs', with another board or other rules" in sentence
    assert sentence.endswith("give your variant another name, or play it in another database")
    good(here, *match, "--db", "other.db")
    good(here, "export", "other.db", "--format", "jsonl", "--output", "other.jsonl")
    done = here("import", "other.jsonl", "--into", "own.db")
    assert done.exit_code == 2
    assert "its variant is called 'two-lochs', as another one in own.db is" in done.stderr
    assert len(games_of(here, "own.db")) == 2


def test_two_variants_of_one_name_are_no_tournament(here: Arena) -> None:
    """The sentence says which name."""
    Path("first.toml").write_text(Path("two-lochs.toml").read_text(encoding="utf-8"), encoding="utf-8")
    changed_lochs()
    Path("cup.toml").write_text(cup("greedy", "random", variants=["first.toml", "two-lochs.toml"]))
    assert "two variants are called 'two-lochs'" in refused(here, "tournament", "cup.toml", "--db", "cup.db")
    assert not Path("cup.db").exists()


def test_positions_and_counts_start_from_the_file(here: Arena) -> None:
    """The board is that of the file, and JSON has the whole name."""
    found = json.loads(good(here, "position", "two-lochs.toml", "--json"))
    assert (found["variant"], found["fen"]) == (LOCHS, f"{LOCHS.partition('board=')[2]} p1 1")
    assert "\nvariant      two-lochs\n" in good(here, "position", "two-lochs.toml")
    assert good(here, "perft", "two-lochs.toml", "2") == "5256\n" == good(here, "perft", LOCHS, "2")
    assert good(here, "variants", LOCHS).startswith("Two lochs (two-lochs): ")


def test_engines_hear_the_base_the_changed_rules_and_the_board(here: Arena) -> None:
    """Never the name of the file."""
    words = ("--variant", "kings-hall.toml", "--games", "1", "--openings", "0", "--trace", "traces", *QUICK)
    good(here, "match", "greedy", "random", *words)
    traces = [path.read_text() for path in Path("traces").glob("*worker*")]
    assert traces
    for said in traces:
        assert "setoption name UGI_Variant value sea-battle-9" in said
        assert "UGI_Rules value corner_stop=king escape=corner king_armed=yes king_steps=2" in said
        assert f"position fen {HALL_BOARD} p1 1" in said and "startpos" not in said
        assert "kings-hall" not in re.sub(r"game \S+:.*", "", said)


def test_an_engine_that_cannot_play_the_variant_is_refused(here: Arena) -> None:
    """By its base, or since it takes no changed rules; one that announces neither plays what it is given."""

    def refusal(variant: str, *choices: str, rules: bool) -> str:
        options = {"ugi_variant": OptionLine("UGI_Variant", "combo", choices=choices)} if choices else {}
        options |= {"ugi_rules": OptionLine("UGI_Rules", "string")} if rules else {}
        return variant_refusal(EngineSpec("mine", ("mine",)), Identity("", "", "", options), [Start(variant)])

    hall = f"sea-battle-9:name=kings-hall,king_armed=yes,board={HALL_BOARD}"
    assert refusal(hall, "scottish", rules=True).startswith("engine 'mine' does not play sea-battle-9: it announces")
    assert refusal(hall, "sea-battle-9", rules=False) == (
        "engine 'mine' takes no rule options (king_armed=yes): it announces no UGI_Rules"
    )
    announced = "engine 'mine' does not play callanish: it announces callanish-9"
    assert refusal(LOCHS, "callanish-9", rules=True) == announced  # and nothing of a package, which only a plug-in has
    assert "it announces no variant by name" in refusal(LOCHS, "", rules=True)
    plays = (
        refusal(hall, "sea-battle-9", rules=True),
        refusal(LOCHS, "callanish", rules=False),
        refusal(hall, rules=False),
    )
    assert plays == ("", "", "")
