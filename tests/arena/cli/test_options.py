"""Books, adjudication, what is written down and who joins late: options of `match`, `tournament` and `sprt`."""

import json
from pathlib import Path

import pytest

from tests.arena.cli.conftest import Arena
from tests.arena.conftest import cup

BOOK = "b4b5 c4c3  # one\nf4f6 d5e5\n3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p2 4 moves d3c3\n"
MATCH = ("match", "random", "greedy", "--variant", "scottish", "--seed", "1", "--contain", "none", "--no-pin")
FAST = (*MATCH, "--nodes", "5", "--quiet")
TOURNAMENT = ("tournament", "cup.toml", "--no-smoke", "--contain", "none", "--no-pin")
SPRT = ("sprt", *FAST[1:], "--elo0", "0", "--elo1", "5")

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture(autouse=True)
def book(arena: Arena) -> None:
    """A book of three openings of the Scottish game."""
    Path("book.txt").write_text(BOOK)


def write(settings: str, *engines: str) -> None:
    """The tournament file."""
    known = {"name": "cup", "variants": ["scottish"], "nodes": 5, "max_plies": 30}
    Path("cup.toml").write_text(cup("random", "greedy", *engines, more=settings, **known))


def test_a_match_is_played_from_a_book(arena: Arena) -> None:
    """Opening by opening, each with both sides; a position string of the book is the start; resume and verify agree."""
    words = (*FAST, "--games", "6", "--book", "book.txt", "--book-start", "2", "--db", "m.db", "--json")
    done = arena(*words)
    assert done.exit_code == 0, done.stderr
    games = json.loads(done.stdout)["games"]
    begun = [(" ".join(game["moves"][:2]) if game["fen"].endswith("p1 1") else game["moves"][0]) for game in games]
    assert begun == [word for word in ("f4f6 d5e5", "d3c3", "b4b5 c4c3") for _ in range(2)]
    assert [game["p1"] for game in games] == ["random", "greedy"] * 3
    assert json.loads(arena(*words).stdout)["games"] == games
    Path("g.jsonl").write_text("\n".join(map(json.dumps, games)))
    assert arena("verify", "g.jsonl").exit_code == 0


def test_a_resume_with_another_book_or_rule_is_refused_by_name(arena: Arena) -> None:
    """So is one without the book; with everything put back it goes on."""
    write('book = "book.txt"\nresign = "score=600,moves=3"')
    assert arena(*TOURNAMENT).exit_code == 0
    config = json.loads(arena("show", "cup.db", "1", "--json").stdout)["config"]
    assert (config["resign"], len(config["book"][0])) == ("score=600,moves=3,twosided=false", 64)
    Path("book.txt").write_text("b4b5 c4c3\n")
    assert "(another book of openings)" in arena(*TOURNAMENT).stderr
    Path("book.txt").write_text(BOOK)
    write('openings = 0\nresign = "score=700,moves=3"')
    refused = arena(*TOURNAMENT)
    assert refused.exit_code == 2
    assert "no book of openings" in refused.stderr
    assert "resign was score=600,moves=3,twosided=false, is score=700,moves=3,twosided=false" in refused.stderr
    write('book = { scottish = "book.txt" }\nresign = "score=600,moves=3"')
    assert "0 games to play" in arena(*TOURNAMENT).stderr


def test_games_end_by_the_scores_that_engines_say(arena: Arena) -> None:
    """A draw rule that every score meets ends every game as soon as it may; an sprt of draws is undecided."""
    # With this seed nobody sees a forced win in the first moves: a mate is no score that the rule meets.
    words = ["mcts" if word == "random" else word for word in (*SPRT, "--games", "2", "--seed", "3")]
    done = arena(*words, "--draw", "score=1000000,moves=1,after=2", "--db", "m.db", "--json")
    assert done.exit_code == 0, done.stderr
    games = [json.loads(line) for line in arena("export", "m.db", "--format", "jsonl").stdout.splitlines()]
    assert {(game["winner"], game["termination"]) for game in games} == {("draw", "adjudication")}
    assert {len(game["moves"]) for game in games} == {6}  # four of the opening, then one of each engine
    assert "both said 1000000 cp or less in 1 moves in a row" in games[0]["detail"]


@pytest.mark.parametrize(
    "command", ["tournament", *(pytest.param(name, marks=pytest.mark.long) for name in ("match", "sprt"))]
)
def test_what_happens_and_what_is_said_can_be_written_down(arena: Arena, command: str) -> None:
    """Events go to a file or stdout, each engine's dialogue to the folder; quiet leaves stderr without progress."""
    write("")
    words = {"match": FAST, "tournament": (*TOURNAMENT, "--quiet"), "sprt": (*SPRT, "--games", "2")}[command]
    done = arena(*words, "--events", "-", "--trace", "traces")
    assert done.exit_code == 0, done.stderr
    events = [json.loads(line)["event"] for line in done.stdout.splitlines()]
    assert (events[0], events.count("game")) == ("run", 2)
    assert "games to play" in done.stderr
    assert "2 of 2 games" not in done.stderr
    assert all("go nodes 5" in Path(f"traces/{name}.worker-0.txt").read_text() for name in ("random", "greedy"))
    refused = arena(*words, "--events", "-", "--json", "--db", "n.db")
    assert refused.exit_code == 2
    assert "--events - and --json cannot be printed together" in refused.stderr


def test_engines_join_a_round_robin_that_has_ended(arena: Arena) -> None:
    """The same command plays exactly the newcomer's games, from the same openings; again: nothing is left."""
    settings = 'book = "book.txt"'
    write(settings)
    first = json.loads(arena(*TOURNAMENT, "--json").stdout)
    write(settings, "mcts")
    for left in ("4 games to play", "0 games to play"):
        done = arena(*TOURNAMENT, "--json")
        assert done.exit_code == 0, done.stderr
        assert left in done.stderr and "other settings" not in done.stderr
    grown = json.loads(done.stdout)
    assert (grown["run"], grown["seed"]) == (first["run"], first["seed"])
    old, added = grown["games"][:2], grown["games"][2:]
    assert [game["moves"] for game in old] == [game["moves"] for game in first["games"]]
    met = sorted((game["p1"], game["p2"]) for game in added)
    assert met == [("greedy", "mcts"), ("mcts", "greedy"), ("mcts", "random"), ("random", "mcts")]
    table = json.loads(arena("standings", "cup.db", "--json").stdout)
    assert {row["name"]: row["games"] for row in table["engines"]} == {"random": 4, "greedy": 4, "mcts": 4}


def test_who_cannot_join_or_go_on_is_told_why(arena: Arena) -> None:
    """One sentence that names what is not as it was, of each engine apart, and how a new run is begun."""
    write("seed = 3")
    assert arena(*TOURNAMENT).exit_code == 0
    own = "engines.1.tc=5 engines.2.options.Seed=4 engines.2.tc=6"
    for changes, engines, said in (
        (own, (), "(the limit of random differs; the options and the limit of greedy differ)"),
        ("nodes=6", ("mcts",), "(limit was nodes=5, is nodes=6)"),
        ("seed=7", ("mcts",), "(another seed)"),
        ("engines.2.options.Seed=1", ("mcts",), "(the options of greedy differ)"),
        ("engines.1.name=alphabeta", ("mcts",), "(other engines: without random, with alphabeta, with mcts)"),
    ):
        write("seed = 3", *engines)
        refused = arena(*TOURNAMENT, *(word for change in changes.split() for word in ("--set", change)))
        assert refused.exit_code == 2 and said in refused.stderr, refused.stderr
        assert "or give another name or another --db to begin a new run" in refused.stderr
