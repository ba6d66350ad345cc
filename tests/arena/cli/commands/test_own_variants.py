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
from tests.arena.games.own_variants import HALL_FILE, LOCHS_FILE

EXAMPLES = {"two-lochs": "two-lochs.toml", "kings-hall": "kings-hall.toml"}
WHOLE = ("--nodes", "20", "--seed", "3", "--concurrency", "1", "--no-pin")
QUICK = (*WHOLE, "--max-plies", "8")
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


@pytest.mark.long
def test_each_example_is_played_stored_and_read_without_its_file(here: Arena) -> None:
    """Once the file is gone, its games are shown, rated, exported, imported and verified, and the match goes on."""
    for name, file in EXAMPLES.items():
        good(here, "match", "greedy", "random", "--variant", file, "--games", "2", "--db", "own.db", *WHOLE)
        Path(file).unlink()
        (one, two) = games_of(here, "own.db", "--variant", name)
        assert one["variant"] == two["variant"] != name
        assert one["termination"] in ("line", "no-turn", "king-escaped", "king-captured", "repetition")
        listed = good(here, "games", "own.db", "--variant", name)
        assert f" {name} " in listed and one["variant"] not in listed
        shown = good(here, "show", "own.db", one["id"], "--ply", "0")
        assert f"variant  {name}\n" in shown
        assert ("▒" in shown) == (name == "two-lochs")
        for form in ("jsonl", "pgn"):
            good(here, "export", "own.db", "--format", form, "--output", f"{name}.{form}", "--variant", name)
            good(here, "import", f"{name}.{form}", "--into", f"{form}.db")
            assert [game["moves"] for game in records(here, f"{form}.db", name)] == [
                game["moves"] for game in records(here, "own.db", name)
            ]
        assert "2 records checked, all agree" in good(here, "verify", f"{name}.jsonl")
        again = here(
            *("match", "greedy", "random", "--variant", one["variant"], "--games", "2", "--db", "own.db", *WHOLE)
        )
        assert "0 games to play, seed 3, 2 already there" in again.stderr
    tables = good(here, "standings", "own.db", "--by", "variant")
    assert "\ntwo-lochs\n" in tables and "\nkings-hall\n" in tables and "board=" not in tables
    assert set(json.loads(good(here, "standings", "own.db", "--json"))["variants"]) == {
        game["variant"] for game in games_of(here, "own.db")
    }


def records(arena: Arena, db: str, variant: str) -> list[dict[str, Any]]:
    text = good(arena, "export", db, "--format", "jsonl", "--variant", variant)
    return [json.loads(line) for line in text.splitlines()]


def test_a_tournament_file_names_variants_in_its_own_folder(
    here: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the command is typed; beside shipped variants, and with a book for one of one's own."""
    good(here, *"openings make --variant two-lochs.toml --count 4 --plies 2 --seed 1 --output book.txt".split())
    assert "4 openings of 2 plies" in good(here, "openings", "check", "book.txt", "--variant", "two-lochs.toml")
    engines = '[[engines]]\nname = "greedy"\n[[engines]]\nname = "random"\n'
    settings = 'nodes = 20\nmax_plies = 8\nseed = 3\nname = "own"\n'
    Path("cup.toml").write_text(
        f'[tournament]\nvariants = ["two-lochs.toml", "kings-hall.toml", "callanish-5"]\n{settings}{engines}'
    )
    Path("books.toml").write_text(
        f'[tournament]\nvariants = ["two-lochs.toml"]\nbook = {{ "two-lochs.toml" = "book.txt" }}\n{settings}{engines}'
    )
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    plain = ("--no-smoke", "--no-pin", "--quiet")
    for name, count in (("cup", 6), ("books", 2)):
        good(here, "tournament", f"../{name}.toml", "--db", f"{name}.db", *plain)
        assert len(games_of(here, f"{name}.db")) == count
    done = here("tournament", "../cup.toml", "--db", "cup.db", *plain)
    assert "0 games to play" in done.stderr
    assert games_of(here, "books.db")[0]["variant"] == LOCHS


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
    Path("cup.toml").write_text(
        '[tournament]\nvariants = ["first.toml", "two-lochs.toml"]\n[[engines]]\nname = "greedy"\n[[engines]]\n'
        'name = "random"\n'
    )
    assert "two variants are called 'two-lochs'" in refused(here, "tournament", "cup.toml", "--db", "cup.db")
    assert not Path("cup.db").exists()


def test_positions_and_counts_start_from_the_file(here: Arena) -> None:
    """The board is that of the file, and JSON has the whole name."""
    found = json.loads(good(here, "position", "two-lochs.toml", "--json"))
    assert (found["variant"], found["fen"]) == (LOCHS, f"{LOCHS.partition('board=')[2]} p1 1")
    assert "\nvariant      two-lochs\n" in good(here, "position", "two-lochs.toml")
    assert good(here, "perft", "two-lochs.toml", "2") == "5256\n" == good(here, "perft", LOCHS, "2")


def test_engines_hear_the_base_the_changed_rules_and_the_board(here: Arena) -> None:
    """Never the name of the file."""
    good(
        *(here, "match", "greedy", "random", "--variant", "kings-hall.toml", "--games", "2", "--trace", "traces"),
        *("--openings", "0", *QUICK),
    )
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
    assert refusal(LOCHS, "callanish-9", rules=True).startswith("engine 'mine' does not play callanish:")
    plays = (
        refusal(hall, "sea-battle-9", rules=True),
        refusal(LOCHS, "callanish", rules=False),
        refusal(hall, rules=False),
    )
    assert plays == ("", "", "")
