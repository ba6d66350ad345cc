"""The books of openings that come with the arena: each can be played from, and runs use it where nothing is said."""

import json
from pathlib import Path

import pytest

from arena.config import load
from arena.games import variants
from arena.games.game import Game
from arena.games.kinds import built_in
from arena.games.symmetry import symmetries, symmetry_of_start
from arena.openings import books
from arena.openings.books import BadBook, BookOrder, entries
from arena.planning import build_plan
from arena.planning.containment import Containment
from arena.planning.plan import Plan
from arena.play.jobs import GameJob
from arena.run.source import Results
from protocol.containment.policy import Level
from results.store.store import Store

NO_BOX = Containment(Level.NONE)
QUICK = ("callanish-7", "brandub")
BOOKS = [
    pytest.param(file.stem, marks=[] if file.stem in QUICK else pytest.mark.long)
    for kind in built_in()
    for file in sorted(kind.file("books").glob("*.txt"))
]
LEAST = 40
"""The smallest book: so many pairs of two deterministic engines differ."""


@pytest.mark.parametrize("variant", BOOKS)
def test_every_shipped_opening_can_be_played_from(variant: str) -> None:
    """No two lead to the same position, also if the board is turned, and nobody wins at once."""
    file = books.file_of(variant)
    found = entries(file, variant)
    assert books.shipped_book(variant).openings == tuple(entry.opening for entry in found)
    assert not any(entry.decided for entry in found)
    rules, start = variants.resolve(variant)
    fold = symmetry_of_start(start.fen(), symmetries(start.fen()))
    seen = set()
    for entry in found:
        game = Game(rules, start)
        for word in entry.opening.moves:
            game.play(word)
        seen.add(fold.position(game.position))
    assert len(seen) == len(found) >= LEAST


def plan_of(folder: Path, settings: str, seed: int | None = 1, **options: str) -> Plan:
    """The plan of a tournament file with these settings, and with options of the command."""
    file = folder / "file.toml"
    names = "".join(f'[[engines]]\nname = "{name}"\n' for name in ("random", "greedy"))
    file.write_text(f"[tournament]\n{settings}\n{names}", encoding="utf-8")
    given = options if seed is None else {"seed": str(seed), **options}
    return build_plan.tournament(file, load.load_registry(), NO_BOX, given=given)[0]


@pytest.mark.parametrize("settings", ["openings = 2", "openings = 0", 'fen = "7/3w3/7/7/7/7/7 p2 1"'])
def test_whoever_says_where_games_start_has_no_book(tmp_path: Path, settings: str) -> None:
    """Random plies and a start of one's own stay as they are."""
    plan = plan_of(tmp_path, f'variants = ["callanish-7"]\n{settings}')
    assert plan.starts[0].book is None
    assert plan.config["book"] is None


def test_where_nothing_is_said_the_seed_chooses_from_the_book(tmp_path: Path) -> None:
    """Both games of a pair have one opening; another seed begins with another one."""
    plan = plan_of(tmp_path, 'variants = ["callanish-7"]\nrounds = 3')
    book = plan.starts[0].book
    assert book is not None and (book.name, book.order) == ("callanish-7", "random")
    assert plan.config["book"] == [book.sha256]
    assert json.loads(plan.run(()).config)["books"][0] == {
        "variant": "callanish-7",
        "name": "callanish-7",
        "openings": len(book.openings),
        "sha256": book.sha256,
    }
    with Store.in_memory() as store:
        source = plan.games_to_play(store).source
    jobs = [source.job(k, Results()) for k in (1, 2)]
    assert isinstance(jobs[0], GameJob) and isinstance(jobs[1], GameJob)
    assert jobs[0].opening == jobs[1].opening
    others = {book.choose(0, "greedy\nrandom", seed) for seed in range(9)}
    assert len(others) > 3


def test_a_file_may_name_the_book_and_its_order(tmp_path: Path) -> None:
    """`default` is the book of each variant; a variant without one is refused."""
    plan = plan_of(tmp_path, 'variants = ["callanish-7"]\nbook = "default"\nbook_order = "sequential"\nbook_start = 2')
    book = plan.starts[0].book
    assert book is not None
    assert (book.order, book.choose(0, "x", 1)) == ("sequential", book.openings[1])
    plan = plan_of(tmp_path, 'variants = ["callanish-7"]\nbook = "default"', book_start="3", book_order="sequential")
    book = plan.starts[0].book
    assert book is not None and book.choose(0, "x", 1) == book.openings[2]  # as an option says of the file's book
    with pytest.raises(
        load.ConfigError,
        match=r"file.toml: tournament: no book of openings for 'callanish-5' comes with the arena: name a file",
    ):
        plan_of(tmp_path, 'variants = ["callanish-5"]\nbook = "default"')
    with pytest.raises(BadBook, match="openings: "):
        books.shipped_book("callanish-7", BookOrder(start=1_000_000))
