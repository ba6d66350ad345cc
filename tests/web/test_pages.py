"""What the pages of games, engines and runs say."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.formats.registry import FormatConfig
from arena.games.board_svg import inline, symbols
from arena.games.line import replay
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.run.schedule import Start
from arena.timing.time_control import fixed
from arena.web import render
from arena.web.links import Links
from arena.web.page_table import PAGES, make_page, page_at
from arena.web.pages.crosstable import crosstable_page
from arena.web.pages.engine import engine_page
from arena.web.pages.game import game_page, picture_of, score_text
from arena.web.pages.games import PAGE, games_page
from arena.web.pages.rounds import rounds_page
from arena.web.pages.settings import run_page
from arena.web.pages.site import read_site
from arena.web.pages.source import Choice, PageSource
from arena.web.pages.sprt import sprt_page
from arena.web.privacy import HIDDEN, Privacy
from arena.web.report import OURS
from results.record import Termination
from results.store.filter import Filter
from results.store.store import Store
from results.tally import Tally
from tests import plans
from tests.arena.games.drawn import drawn
from tests.web.conftest import CONFIG, EVIDENCE, HOSTILE, PLAYERS, RUN, SECRETS, gauntlet, keep, played

OPEN = Privacy(False)
HIDING = Privacy(True, frozenset({SECRETS[1]}))


@pytest.mark.parametrize("variant", ["callanish-5", "scottish", "callanish-corners"])
def test_the_boards_of_a_page_are_those_of_the_game(variant: str) -> None:
    """Whoever applies the changes to the first board, as the script does, comes to every position."""
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
    run = plan.run({})
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


def test_every_piece_of_a_board_has_a_symbol() -> None:
    """No letter of a position string is left out of a picture."""
    used = [each for fen in ("wbWB*", "adk") for each in re.findall(r'<use href="#([^"]+)"', inline(drawn(fen)))]
    assert len(used) == 8 and set(used) <= set(re.findall(r'<g id="([^"]+)"', symbols()))


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/usr/bin/mine ended", "… ended"),
        ("cannot open '/etc/x y'", "cannot open '… y'"),
        ("see ../a/b and ~/c", "see … and …"),
        ("C:\\engines\\mine.exe is gone", "… is gone"),
        ("a1 is not legal in w6/2w4/7 p1 4", "a1 is not legal in w6/2w4/7 p1 4"),
        ("on buildbox7, not on buildbox77", "on …, not on buildbox77"),
        ("10+0.1 | 1/2-1/2", "10+0.1 | 1/2-1/2"),
    ],
)
def test_paths_and_names_of_machines_are_left_out_of_texts(text: str, shown: str) -> None:
    """Positions, results and moves are no paths."""
    assert HIDING.text(text) == shown
    assert OPEN.text(text) == text


def test_the_page_of_an_engine_counts_its_games(cup: Path) -> None:
    """Opponents, sides and endings add up to the games of the standings."""
    with Store.open_existing(cup) as store:
        page = engine_page(PageSource(store, HIDING), Choice(), HOSTILE[0])
    assert page is not None and page.standing is not None
    games = page.standing.total.games
    assert sum(tally.games for _, tally in page.opponents) == games == 5
    assert sum(one.games + two.games for _, one, two in page.variants) == games
    assert sum(counts.total() - counts["none"] for _, counts in page.endings) == games
    assert page.standing.total.losses == len(page.lost)
    assert page.lost[0].fault and page.lost[0].game.number == 6
    assert SECRETS[0] not in page.lost[0].game.detail
    assert page.stats is not None and page.stats.games == 5


def test_shares_on_the_page_of_an_engine_add_up(cup: Path) -> None:
    """A score and the opponent's score are 100 % together, also where both end in a half."""
    both = (Tally(1, 0, 1999), Tally(1999, 0, 1))
    with Store.open_existing(cup) as store:
        page = engine_page(PageSource(store, HIDING), Choice(), HOSTILE[0])
        assert page is not None
        page = replace(page, variants=(("scottish", *both),))
        text = render.document("engine", page, read_site(store, hide=True), Links(), ())
    shares = re.findall(r'-\d+</td><td class="number">([\d.]+)</td>', text)
    assert len(shares) == 2 and sum(map(float, shares)) == 100


def test_the_page_of_a_run_leaves_out_what_is_private(cup: Path) -> None:
    """Commands, containment, the machine's name and names of files are not there; the rest is."""
    with Store.open_existing(cup) as store:
        hidden, whole = (run_page(PageSource(store, privacy), store.runs()[0]) for privacy in (HIDING, OPEN))
    assert not [secret for secret in SECRETS if secret in str(replace(hidden, run=None, engines=()))]  # type: ignore[arg-type]
    assert [(each.command, dict(each.options)["Book"]) for each in hidden.engines] == [("", HIDDEN)] * 3
    assert dict(hidden.engines[0].options)["Hash"] == "16"
    assert dict(hidden.settings)["limit"] == "1+0.1"
    assert whole.host == SECRETS[1] and whole.engines[0].command == SECRETS[0]


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


def test_a_list_of_games_goes_on_where_the_page_before_ended(tmp_path: Path) -> None:
    """All games come once, in the schedule's order, whatever filter is asked for."""
    one, two, three = HOSTILE
    records = [
        played(number, *((one, two) if number % 3 else (two, three)), seed=1) for number in range(1, 2 * PAGE + 51)
    ]
    with Store.open_existing(keep(tmp_path / "a.db", records)) as store:
        for which in (Filter(), Filter(run="aa11"), Filter(engine=HOSTILE[2]), Filter(engine=HOSTILE[0])):
            wanted = [game.number for game in store.briefs_after(which, None, 10_000)]
            found: list[int] = []
            after = ""
            while True:
                page = games_page(PageSource(store, HIDING), Choice(which, after=after))
                assert page is not None
                found += [game.number for game in page.games]
                after = page.query.removeprefix("after=")
                if not after:
                    break
            assert found == wanted == sorted(wanted)
            assert page.total == len(wanted)
        assert len(wanted) > PAGE


@pytest.mark.parametrize(
    ("said", "shown"), [("cp 31", "+0.31"), ("cp 0", "+0.00"), ("mate -4", "-M4"), (None, ""), ("odd", "odd")]
)
def test_scores_are_shown_in_points(said: str | None, shown: str) -> None:
    """What is no score stays as it was said."""
    assert score_text(said) == shown


def test_no_template_turns_escaping_off() -> None:
    """Markup is made in Python only, where each place can be looked at."""
    environment = render.environment()
    for name in environment.list_templates(extensions=["html"]):
        source = Path(str(environment.get_template(name).filename)).read_text()
        assert not re.search(r"\|\s*safe|autoescape|style=|onclick", source), name


def test_the_style_sheet_and_the_script_load_nothing() -> None:
    """All that a page needs comes with it."""
    for name in ("style.css", "game.js"):
        text = render.static(name).replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|@import|url\(|fetch\(|eval\(|innerHTML", text), name


def test_links_of_a_server_quote_names() -> None:
    """A name is one part of a path, whatever is in it."""
    link = Links()
    assert link("engine", "a/b?c#<d>") == "/engine/a%2Fb%3Fc%23%3Cd%3E"
    assert link("pair", "a&b", "c") == "/games?engine=a%26b&opponent=c"
    assert link("game", "aa11", 7) == "/game/aa11-7"
    assert link("pgn", "aa11", 7) == "/game/aa11-7.pgn"


def test_every_page_has_its_template_and_its_address_leads_to_it() -> None:
    """A row of the table is all that a page needs beside its template and its maker."""
    templates = render.environment().list_templates()
    tops = set()
    for kind, row in PAGES.items():
        key = tuple(str(at) for at, field in enumerate(row.fields, 1) if field != "page")
        address = Links()(kind, *key)
        assert row.template in templates
        assert address is not None and page_at(address) == (None if kind == "pair" else (kind, key))
        tops |= {row.file.partition("/")[0]} - {""}
    assert tops < OURS


def test_links_of_files_are_relative_to_their_page() -> None:
    """So a report can be moved. A page that is not there gets no link."""
    files = {"/engine/a": "engine/1.html", "/game/r-3.pgn": "game/1-3.pgn", "/static/style.css": "static/style.css"}
    link = Links(files, "game/1-3.html")
    assert link("engine", "a") == "../engine/1.html" and link("engine", "b") is None
    assert link("pgn", "r", 3) == "../game/1-3.pgn" and link("static", "style.css") == "../static/style.css"


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


def test_a_crosstable_of_pages_is_relative_to_the_anchor(tmp_path: Path) -> None:
    """As `arena standings --crosstable --anchor` has it."""
    with Store.open_existing(keep(tmp_path / "gauntlet.db", list(gauntlet()))) as store:
        page = crosstable_page(PageSource(store, HIDING), Choice(anchor="hero"))
    ((_, table),) = page.tables
    assert table.elos["hero"].value == 0 != table.elos["level"].value
    assert page.legend[0].startswith("Elo: above hero; ")
