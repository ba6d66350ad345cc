"""What the pages of games, engines and runs say."""

import json
import re
from dataclasses import replace
from pathlib import Path

from arena.formats.registry import FormatConfig
from arena.games.line import replay
from arena.openings.books import Start
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.timing.time_control import fixed
from arena.web import render
from arena.web.links import Links
from arena.web.page_table import make_page
from arena.web.pages.engine import engine_page
from arena.web.pages.game import game_page, picture_of
from arena.web.pages.rounds import rounds_page
from arena.web.pages.settings import run_page
from arena.web.pages.site import read_site
from arena.web.pages.source import Choice, PageSource
from arena.web.pages.sprt import sprt_page
from arena.web.privacy import HIDDEN, Privacy
from results.record import Termination
from results.store.store import Store
from tests import plans
from tests.arena.games.drawn import drawn
from tests.web.conftest import CONFIG, EVIDENCE, HOSTILE, PLAYERS, RUN, SECRETS, gauntlet, keep, played

OPEN = Privacy(False)
HIDING = Privacy(True, [SECRETS[1], "h", "?"])


def test_the_boards_of_a_page_are_those_of_the_game() -> None:
    """Whoever applies the changes to the first board, as the script does, comes to every position."""
    for variant in ("callanish-5", "scottish", "callanish-corners"):
        record = played(1, "a", "b", variant)
        _, positions = replay(variant, record.fen, record.moves)
        boards = [drawn(position.fen()) for position in positions]
        data = json.loads(json.dumps(picture_of(boards).data))
        letters = list(data["start"])
        for change, position in zip(data["changes"], boards[1:], strict=True):
            for at in range(0, len(change), 2):
                letters[change[at]] = change[at + 1]
            assert "".join(letters) == "".join(position.rows)
        assert data["width"] == boards[0].width


def test_the_page_of_a_game_has_pictures_of_its_special_rules(tmp_path: Path) -> None:
    """A fort, a shieldwall and an encirclement, each before and after; none where there are none."""
    for name, captions in (("copenhagen", ["A shieldwall", "An encirclement", "A fort"]), ("brandub", [])):
        game = played(1, HOSTILE[0], HOSTILE[1], name)
        with Store.open_existing(keep(tmp_path / f"{name}.db", [game])) as store:
            page = game_page(PageSource(store, OPEN), Choice(), "aa11", 1)
            site = read_site(store, hide=False)
        assert page is not None
        text = render.document("game", page, site, Links(), ())
        told = re.findall(r"<figcaption>(.*?), before and after ([a-g][1-7]){2}</figcaption>", text)
        assert [caption for caption, _ in told] == captions
        assert text.count('<svg class="board"') == 1 + 2 * len(captions)


def test_the_page_of_a_contest_shows_groups_and_bracket_from_the_first_game_to_the_last(tmp_path: Path) -> None:
    """While the groups are played there is no bracket; at the end the match of each round has its winner."""
    names = (HOSTILE[0], "b", "c", "d")
    setting = (Start("callanish-5"),), 2, 1, Terms(fixed("nodes", 1)), FormatConfig("contest")
    plan = plans.plan("tournament", "cup", [EngineSpec(name, ("true",)) for name in names], *setting)
    run = plan.run(())
    pages: list[str] = []
    with Store.create_or_open(tmp_path / "a.db") as store:
        store.add_run(run, [replace(PLAYERS[0], name=name) for name in names])
        games = plan.games_to_play(store)
        while True:
            site, page = read_site(store, hide=False), rounds_page(PageSource(store, OPEN), run)
            assert page is not None
            pages.append(render.document("rounds", page, site, Links(), ()))
            if not isinstance(job := games.next(), GameJob):
                break
            record = replace(played(job.number, job.p1, job.p2), id=job.id, round=job.round)
            store.add_game(record)
            games.ended(record, None)
    assert len(pages) > 14
    for text in pages:
        assert re.search("<caption>group 1</caption>", text) and HOSTILE[0] not in text
    assert not any('<ol class="bracket">' in text for text in pages[:12])
    assert not any("winner of the contest" in text for text in pages[:-1])
    (winner,) = re.findall("winner of the contest: (.+)", pages[-1])
    drawn = pages[-1].split('<ol class="bracket">', 1)[1].split("</ol>", 1)[0]
    assert drawn.count("<span") == 2 and re.search(f'<span class="won">.*<bdi>{re.escape(winner)}</bdi>', drawn)


def test_a_game_that_cannot_be_replayed_says_so_and_has_its_moves(tmp_path: Path) -> None:
    """A hand-edited game has no board, but its moves as text."""
    game = played(1, HOSTILE[0], HOSTILE[1])
    broken = replace(game, opening=("z9", *game.opening[1:]))
    with Store.open_existing(keep(tmp_path / "a.db", [broken])) as store:
        page = game_page(PageSource(store, OPEN), Choice(), "aa11", 1)
        site = read_site(store, hide=False)
    assert page is not None and page.board is None and "z9" in page.unplayable
    text = render.document("game", page, site, Links(), ())
    assert "This game cannot be replayed" in text and game.moves[-1] in text


def test_a_fault_is_told_with_its_evidence(cup: Path) -> None:
    """The dialogue is there without what is private; the moves of the protocol stay."""
    with Store.open_existing(cup) as store:
        shown = game_page(PageSource(store, HIDING), Choice(), "aa11", 6)
        whole = game_page(PageSource(store, OPEN), Choice(), "aa11", 6)
    assert shown is not None and whole is not None
    told, all_told = shown.record.evidence, whole.record.evidence
    assert told is not None and all_told is not None
    assert shown.loser_name == HOSTILE[0]
    assert shown.is_cut and not whole.is_cut
    assert told.stderr == "" and all_told.stderr == SECRETS[2]
    lines = [line.removeprefix(HOSTILE[0]) for line in told.transcript]
    assert lines == [
        " <- position fen 5/5/5/5/5 p1 1",
        f" <- setoption name Book value {HIDDEN}",
        f" -> info string {HIDDEN}",
        " -> bestmove a1",
    ]
    assert all_told.transcript == EVIDENCE.transcript


def test_paths_and_names_of_machines_are_left_out_of_texts() -> None:
    """Positions, results and moves are no paths."""
    for text, shown in (
        ("/usr/bin/mine ended", "… ended"),
        ("cannot open '/etc/x y'", "cannot open '… y'"),
        ("see ../a/b and ~/c", "see … and …"),
        ("C:\\engines\\mine.exe is gone", "… is gone"),
        ("a1 is not legal in w6/2w4/7 p1 4", "a1 is not legal in w6/2w4/7 p1 4"),
        ("on buildbox7, not on buildbox77", "on …, not on buildbox77"),
        ("on h, as the host has it?", "on …, as the host has it?"),
        ("10+0.1 | 1/2-1/2", "10+0.1 | 1/2-1/2"),
    ):
        assert HIDING.text(text) == shown
        assert OPEN.text(text) == text


def test_a_clock_for_each_variant_is_told_in_words(tmp_path: Path) -> None:
    """On the page of a run, not as JSON."""
    run = replace(RUN, config=json.dumps({**CONFIG, "limit": {"brandub": "5+0.05", "scottish": "10+0.1"}}))
    with Store.open_existing(keep(tmp_path / "a.db", [], run)) as store:
        page = run_page(PageSource(store, OPEN), store.runs()[0])
    assert dict(page.settings)["limit"] == "5+0.05 in brandub, 10+0.1 in scottish"


def test_a_sequential_test_is_told_as_its_command_tells_it(tmp_path: Path) -> None:
    """Pairs count in the schedule's order, and no further than the decision."""
    test = {"elo0": 0.0, "elo1": 200.0, "alpha": 0.05, "beta": 0.05, "model": "normalized"}
    engines = [{"name": name} for name in HOSTILE[:2]]
    run = replace(RUN, config=json.dumps({**CONFIG, "engines": engines, "sprt": test}), games=40)
    records = []
    for number in range(1, 41):
        first = number % 2 == 1
        one, two = (HOSTILE[0], HOSTILE[1]) if first else (HOSTILE[1], HOSTILE[0])
        made = played(number, one, two, seed=(number + 1) // 2)
        records.append(replace(made, winner="p1" if first else "p2", termination=Termination.RESIGNATION))
    with Store.open_existing(keep(tmp_path / "a.db", records, run)) as store:
        page = sprt_page(PageSource(store, HIDING), run)
        entries = [entry.kind for entry in read_site(store, hide=True).entries]
    assert page is not None and page.state == "H1" and page.llr >= page.test.upper
    assert page.games == (2 * sum(page.pairs), 0, 0) and page.pairs[4] == sum(page.pairs) < 20
    assert "sprt" in entries


def test_elo_and_its_error_come_first_on_every_page_of_a_gauntlet(tmp_path: Path) -> None:
    """In each row of standings, duels and crosstable, and on the page of an engine, whole names in all of them."""
    db, texts = keep(tmp_path / "gauntlet.db", list(gauntlet())), {}
    with Store.open_existing(db) as store:
        source, site = PageSource(store, HIDING), read_site(store, hide=True)
        for kind in ("standings", "crosstable", "engine"):
            key = ("ten-nil",) if kind == "engine" else ()
            texts[kind] = render.document(kind, make_page(kind, source, Choice(), key), site, Links(), key)
    number = r'<td class="number">({})</td>'
    points, error = number.format(r"[+-][\d.]+"), number.format(r"[\d.]+|-[\d.]+\+[\d.]+")
    for kind, rows in (("standings", 4 + 3), ("crosstable", 4)):
        found = re.findall(rf"</th>\s*{points}\s*{error}", texts[kind])
        assert len(found) == rows, kind
        assert re.search(r'>engine</th>\s*<th scope="col" class="number">Elo</th>\s*<th [^>]*>\+-</th>', texts[kind])
        assert "Elo: above the field&#39;s mean; +- holds 95 %" in texts[kind]
    assert "<caption><bdi>hero</bdi>: Each opponent</caption>" in texts["standings"]
    assert re.search(r"<dt>Elo</dt><dd>-\d+ ", texts["engine"])


def test_the_page_of_an_engine_lists_its_last_lost_games(tmp_path: Path) -> None:
    """Those of its own faults first. A stall that a line to a guest caused is none."""
    endings = {1: Termination.CRASH, 2: Termination.CRASH, 3: Termination.STALL}
    games = [
        replace(played(number, "ann", "bob"), winner="p2", termination=endings.get(number, Termination.RESIGNATION))
        for number in range(1, 31)
    ]
    games[2] = replace(games[2], evidence=replace(EVIDENCE, machine=True))
    with Store.open_existing(keep(tmp_path / "a.db", games)) as store:
        page = engine_page(PageSource(store, OPEN), Choice(), "ann")
    assert page is not None and page.standing.forfeits == 2
    assert [(each.game.number, each.fault) for each in page.lost if each.fault] == [(1, True), (2, True)]
    assert [each.game.number for each in page.lost] == [1, 2, *range(13, 31)]
