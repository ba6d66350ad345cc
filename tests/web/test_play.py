"""A server of games with people: what it takes, from whom, and what it refuses."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.human.hosted_games import HostedGames
from tests.arena.conftest import quick_registry as quick_registry
from tests.web.conftest import games as six_games
from tests.web.conftest import keep
from tests.web.hosting import hosted_games, hosting, post
from tests.web.serving import ask, events, served

TWO = {"variant": "scottish", "opponent": "human", "strength": "4", "side": "p1", "clock": ""}


@pytest.fixture
def games(tmp_path: Path) -> HostedGames:
    """Games that are kept in a folder of this test."""
    return hosted_games(tmp_path / "games")


@pytest.fixture
def base(games: HostedGames) -> Iterator[str]:
    """The address of their server."""
    with hosting(games) as address:
        yield address


def begun(base: str, **changed: str) -> str:
    """The path of a new game."""
    answer = post(base, "/play", {**TWO, **changed})
    assert answer.status == 200, answer
    return f"/play/{answer.value['secret']}"


def shown(base: str, path: str, phase: str, moves: int = 0) -> Any:
    """How the game stands as soon as it is in this phase after so many moves."""
    with events(base, f"{path}/events") as stream:
        return next(value for _, value in stream if value["phase"] == phase and len(value["moves"]) >= moves)


def test_two_people_play_by_posts_and_see_it_by_events(base: str, games: HostedGames) -> None:
    """A move, a reason why one is illegal, an undo, and a draw; the file has the record."""
    path = begun(base)
    assert post(base, path, {"do": "open"}).status == 200
    before = shown(base, path, "person")
    assert before["sides"] == ["attackers", "defenders"] and "d1c1" in before["legal"] and "<svg" in before["board"]
    assert post(base, path, {"do": "move", "move": "d1e2", "ply": 0}).status == 202
    with events(base, f"{path}/events") as stream:
        said = next(value["said"] for _, value in stream if value["said"])
    assert said == ["d1e2 is no legal move: pieces move along a rank or file"]
    for ply, word in enumerate(("d1c1", "d3b3", "c1d1")):
        assert post(base, path, {"do": "move", "move": word, "ply": ply}).status == 202
    assert shown(base, path, "person", 3)["moves"] == ["d1c1", "d3b3", "c1d1"]
    post(base, path, {"do": "undo", "ply": 3})
    post(base, path, {"do": "draw", "ply": 2})
    over = shown(base, path, "over")
    assert over["said"][-1] == "a draw: both agreed" and over["moves"] == ["d1c1", "d3b3"]
    assert '"draw-agreed"' in (games.folder / f"{path.rpartition('/')[2]}.jsonl").read_text()


def test_a_command_for_another_position_is_dropped(base: str) -> None:
    """So a second tap does not play on the board that the first one made."""
    path = begun(base)
    for _ in range(2):
        post(base, path, {"do": "move", "move": "d1c1", "ply": 0})
    post(base, path, {"do": "resign", "ply": 0})
    post(base, path, {"do": "move", "move": "d3b3", "ply": 1})
    value = shown(base, path, "person", 2)
    assert value["moves"] == ["d1c1", "d3b3"] and value["said"] == []


STRANGERS: tuple[dict[str, str | None], ...] = (
    {"Origin": None},
    {"Origin": "null"},
    {"Origin": "http://evil.example"},
    {"Origin": "http://127.0.0.1:1"},
    {"Sec_Fetch_Site": "cross-site"},
    {"Sec_Fetch_Site": "same-site"},
    {"Content_Type": "text/plain"},
    {"Content_Type": "application/x-www-form-urlencoded"},
    {"Content_Type": None},
)


def test_a_strangers_page_cannot_play(base: str, games: HostedGames) -> None:
    """Neither begin a game nor move in one, not even by its address."""
    path = begun(base)
    before = sorted(games.folder.iterdir())
    for headers in STRANGERS:
        for there, body in (
            ("/play", TWO),
            (path, {"do": "move", "move": "d1c1", "ply": 0}),
            (path, {"do": "open"}),
        ):
            assert post(base, there, body, **headers).status == 403, headers
    assert sorted(games.folder.iterdir()) == before or not [each for each in before if each.suffix == ".jsonl"]
    assert shown(base, path, "person")["moves"] == []


def test_a_game_is_found_by_its_secret_alone(base: str, games: HostedGames) -> None:
    """Not by a path to a file, and no page lists the games."""
    path = begun(base)
    for wrong in ("0" * 32, "..%2fgames", "x", path[6:-1], path[6:].upper().replace("A", "..")):
        assert post(base, f"/play/{wrong}", {"do": "move", "move": "d1c1", "ply": 0}).status == 404
        assert ask(base, f"/play/{wrong}/events").status == 404
    assert post(base, f"/play/{'0' * 32}", {"do": "open"}).value == {"error": "there is no such game here"}
    (games.folder / "notes.json").write_text("{}")
    assert post(base, "/play/notes", {"do": "open"}).status == ask(base, "/play/notes").status == 404
    assert path[6:] not in ask(base, "/play").text
    assert games.folder.stat().st_mode & 0o077 == 0


NO_GAMES: tuple[dict[str, object], ...] = (
    {"opponent": "/bin/sh"},
    {"opponent": 'python3 -c \'open("x", "w")\''},
    {"opponent": "greedy:Hash=1"},
    {"variant": "/etc/passwd"},
    {"variant": "scottish:king_armed=yes"},
    {"side": "p3"},
    {"clock": "1"},
    {"opponent": "strong", "strength": "99"},
    {"variant": None},
    {"variant": ["scottish"]},
)


def test_only_what_the_lists_have_is_played(base: str, games: HostedGames) -> None:
    """An engine of a page is a registered one, and a variant a known one: nothing names a program or a file."""
    for changed in NO_GAMES:
        answer = post(base, "/play", {**TWO, "opponent": "greedy", **changed})
        assert answer.status == 409 and answer.value["error"].endswith("from the list"), changed
    assert not games.folder.exists()


def test_a_page_starts_the_same_engine_again_and_names_no_other(
    tmp_path: Path, quick_registry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name would be a program to run."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(quick_registry))
    with hosting(hosted_games(tmp_path / "games")) as base:
        path = begun(base, opponent="greedy")
        shown(base, path, "person")
        post(base, path, {"do": "engine", "move": "/bin/sh", "ply": 0})
        with events(base, f"{path}/events") as stream:
            assert next(value["said"] for _, value in stream if value["said"]) == ["greedy plays on"]


def test_what_is_no_command_is_refused(base: str) -> None:
    """The game goes on."""
    path = begun(base)
    for body in (b"", b"[]", b"{" * 3000, b"[" * 4000, b'"' + b"x" * 10_000, b"\xff", b'{"do": "close"}'):
        assert post(base, path, body).status == 400, body[:20]
    for wrong in (
        {"do": "move", "ply": 0, "move": "x" * 99},
        {"do": "move", "ply": True, "move": "d1c1"},
        {"do": "undo"},
    ):
        assert post(base, path, wrong).status == 400
    post(base, path, {"do": "move", "move": "d1c1", "ply": 0})
    assert shown(base, path, "person", 1)["moves"] == ["d1c1"]


def test_a_game_that_was_left_ends_and_can_be_taken_up_again(tmp_path: Path) -> None:
    """After a time without a command. Its moves are there when somebody comes back."""
    games = hosted_games(tmp_path / "games", left_s=0.3)
    with hosting(games) as base:
        path = begun(base)
        post(base, path, {"do": "move", "move": "d1c1", "ply": 0})
        left = shown(base, path, "left")
        assert left["said"] == ["the game was left, and is kept"] and left["moves"] == ["d1c1"]
        assert post(base, path, {"do": "open"}).status == 200
        assert shown(base, path, "person")["moves"] == ["d1c1"]


def test_another_server_takes_a_game_up_by_its_address(tmp_path: Path) -> None:
    """With its moves and its clocks. A game without a move begins anew, and one that is over has its board."""
    games = hosted_games(tmp_path / "games")
    with hosting(games) as base:
        path, over = begun(base, clock="60+1"), begun(base)
        post(base, path, {"do": "open"})
        for ply, word in enumerate(("d1c1", "d3b3")):
            post(base, path, {"do": "move", "move": word, "ply": ply})
        before = shown(base, path, "person", 2)
        post(base, over, {"do": "move", "move": "d1c1", "ply": 0})
        post(base, over, {"do": "resign", "ply": 1})
        shown(base, over, "over")
    with hosting(hosted_games(tmp_path / "games")) as base:
        assert post(base, path, {"do": "open"}).status == 200
        after = shown(base, path, "person", 2)
        assert after["moves"] == before["moves"] and after["thinks"] and after["left"][1] > 60_000
        assert post(base, over, {"do": "open"}).status == 200
        again = shown(base, over, "over")
        assert (again["moves"], again["legal"]) == (["d1c1"], []) and "<svg" in again["board"]
        assert again["said"] == ["p2 (defenders) resigns: p1 (attackers) wins"]


def test_a_server_of_a_database_may_have_games(tmp_path: Path, games: HostedGames) -> None:
    """Its pages lead there, and the page of games leads back."""
    try:
        with served(keep(tmp_path / "a.db", six_games()), games=games) as base:
            assert 'href="/play"' in ask(base, "/standings").text
            assert 'href="/standings"' in ask(base, "/play").text
            assert post(base, "/standings", {}).status == 405
            path = begun(base)
            assert shown(base, path, "person")["moves"] == []
    finally:
        games.end()
