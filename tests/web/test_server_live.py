"""What viewers are told of running games."""

import asyncio
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.games.game import Game
from arena.games.variants import resolve
from arena.web.server import database, feed, watcher
from arena.web.server.feed import QUEUE, Feed
from arena.web.server.game_values import GameValues, LiveGames, changes
from tests.arena.live.made import GAME, MOVES, running, written
from tests.web.conftest import games, keep
from tests.web.serving import ask, events, served


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told now and then is told at once."""
    for name in ("IDLE_S", "QUIET_S", "HEAD_S"):
        monkeypatch.setattr(watcher, name, 0.02)
    monkeypatch.setattr(database, "FRESH_S", 0.0)


def followed(known: dict[str, dict[str, Any]], news: Sequence[Mapping[str, Any]]) -> None:
    """Do what the script of the page does with these changes."""
    for game in news:
        known[game["place"]] = {"frame": known.get(game["place"], {}).get("frame"), **game}


def test_whoever_follows_the_changes_knows_the_games() -> None:
    """For random games in two places, looked at after any number of plies."""
    chance = random.Random(5)
    maker = LiveGames()
    told: list[GameValues] = []
    known: dict[str, dict[str, Any]] = {}
    for number in range(1, 7):
        variant = chance.choice(["callanish-7", "scottish", "brandub"])
        game = Game(*resolve(variant))
        for _ in range(12):
            for _ in range(chance.randrange(3)):
                if game.outcome is None:
                    game.play(chance.choice([move.text for move in game.position.legal_moves()]))
            moves = tuple(map(str, game.moves))
            begun = replace(GAME, slot=number % 2, id=f"abc-{number}", number=number, variant=variant)
            scores, left_ms = tuple(f"cp {at}" for at, _ in enumerate(moves)), (chance.randrange(9), None)
            begun = replace(begun, fen=game.start.fen(), opening=(), left_ms=left_ms)
            live = replace(begun, moves=moves, plies=len(moves), scores=scores)
            values = maker.values([running(live)])
            news, _ = changes(told, values)
            followed(known, json.loads(json.dumps(news)))
            told = values
            assert values[0].items() <= known[str(values[0]["place"])].items()


def test_moves_are_told_and_not_pictures() -> None:
    """A ply costs a letter a square and its scores, and waits for nobody; time and thoughts may wait."""
    game = Game(*resolve("callanish-19"))
    live = replace(GAME, variant="callanish-19", fen=game.start.fen(), opening=(), moves=())
    maker = LiveGames()
    before = maker.values([running(live)])
    game.play(game.position.legal_moves()[0].text)
    news, is_urgent = changes(before, maker.values([running(replace(live, moves=tuple(game.moves), plies=1))]))
    assert len(json.dumps(news)) < 1_200 and is_urgent
    news, is_urgent = changes(before, maker.values([running(replace(live, left_ms=(1, 2)))]))
    assert news and not is_urgent
    assert changes(before, maker.values([running(live)])) == ([], False)


def test_names_of_a_hostile_file_are_harmless() -> None:
    """What turns the direction of a line around is escaped before it is sent."""
    (shown,) = LiveGames().values([running(replace(GAME, p1="\u202ex", last="\x1b[2J", tc="\n"))])
    assert (shown["names"], shown["ply"]) == (["\\u202ex", "bob"], 5)
    assert shown["move"] == "\\x1b[2J"


def test_a_slow_viewer_misses_events_and_then_gets_the_whole_state() -> None:
    """It never has more than some events waiting, and never a gap. At the end it gets what waits."""

    async def watch() -> list[bytes]:
        viewers, sent, may_read = Feed(lambda: b"whole"), list[bytes](), asyncio.Event()

        async def send(message: Any) -> None:
            sent.append(message.get("body", b""))
            if sent[-1] == b"whole":
                await may_read.wait()

        async def receive() -> Any:
            await asyncio.Event().wait()

        scope = {"type": "http", "method": "GET"}
        stream = asyncio.create_task(viewers(scope, receive, send))
        while b"whole" not in sent:
            await asyncio.sleep(0)
        for number in range(QUEUE + 2):
            viewers.publish("live", number)
        viewers.end()
        may_read.set()
        await stream
        assert viewers.viewers == 0
        return sent[sent.index(b"whole") :]

    last = [feed.event("live", number) for number in (QUEUE, QUEUE + 1)]
    assert asyncio.run(watch()) == [b"whole", b"whole", *last, b""]


def test_a_run_is_followed_from_its_first_move_to_its_end(tmp_path: Path) -> None:
    """A viewer gets everything, then what is new, then standings of the games that were stored, then the end."""
    db = keep(tmp_path / "a.db", list(games())[:3])
    written(db, running(replace(GAME, moves=MOVES[:1], plies=1)))
    with served(db) as base:
        # The server may need a moment to see the file. A viewer who comes just then is told of it twice.
        while 'data-place="gabc-0"' not in ask(base, "/").text:
            pass
        with events(base) as stream:
            known: dict[str, dict[str, Any]] = {}
            _, value = next(each for each in stream if each[0] == "live")
            followed(known, value["games"])
            assert value["state"] == "running"
            assert known["gabc-0"]["names"] == ["ann", "bob"]
            before = known["gabc-0"]["squares"]
            path = written(db, running(GAME))
            _, value = next(each for each in stream if each[0] == "live")
            assert "frame" not in value["games"][0]
            followed(known, value["games"])
            assert known["gabc-0"]["move"] == "d5c7e7"
            assert known["gabc-0"]["squares"] != before
            keep(db, games())
            next(each for each in stream if each[0] == "standings" and ">4<" in each[1]["html"])
            page = ask(base, "/").text
            assert 'data-place="gabc-0"' in page
            assert 'http-equiv="refresh"' in page.partition("<noscript>")[2]
            path.unlink()
            assert next(each for each in stream if each[0] == "end")


def test_a_run_that_was_killed_is_told_to_have_stopped(tmp_path: Path) -> None:
    """Its event file stays, but its process is no more."""
    db = keep(tmp_path / "a.db", games())
    written(db, running(GAME), is_played=False)
    with served(db) as base, events(base) as stream:
        assert next(each for each in stream if each[0] == "head" and each[1]["state"] == "stopped")
        assert 'data-state="stopped"' in ask(base, "/").text


def test_an_event_file_that_cannot_be_used_is_told_once_and_ignored(tmp_path: Path) -> None:
    """A file without a state, another one, or a huge one: pages are those of a database without a run."""
    db = keep(tmp_path / "a.db", games())
    contents = (b'{"event": "state", "version": 3}\n', b"[]", b'{"event": "run"}\n', b"x" * 2_000_000)
    for number, content in enumerate(contents):
        (tmp_path / f"a.db-{number}.events").write_bytes(content)
    said: list[str] = []
    with served(db, said=said) as base, events(base) as stream:
        assert next(each for each in stream if each[0] == "head")[1]["state"] == "none"
        assert ask(base, "/").status == 200
    assert len(said) == len(contents) and all("so it is ignored" in sentence for sentence in said)


def test_a_database_that_goes_while_it_is_watched_is_told(tmp_path: Path) -> None:
    """The games of the event file are still shown."""
    db = keep(tmp_path / "a.db", games())
    written(db, running(GAME))
    with served(db) as base, events(base) as stream:
        next(each for each in stream if each[0] == "standings" and "<table" in each[1]["html"])
        db.unlink()
        next(each for each in stream if each[0] == "standings" and "is gone" in each[1]["html"])
