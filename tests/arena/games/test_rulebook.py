"""The rules as told: complete, true to the rule options, and the same in both languages."""

# ruff: noqa: RUF001 - Japanese is written with full-width brackets.

import re

import pytest

from arena.games.kind import Lang, Page
from arena.games.rules import Rules
from arena.games.variants import find, kind_of, names
from results.tables.text_width import columns

LANGS: tuple[Lang, ...] = ("en", "ja")


def page(rules: Rules, lang: Lang, title: str = "") -> Page:
    return kind_of(rules).rules_text(rules, lang, title)


def told(name: str, lang: Lang, options: str = "") -> str:
    """All sentences of a page in one text."""
    sections = page(find(name, options), lang).sections
    return "\n".join(sentence for section in sections for sentence in section.sentences)


FACT = re.compile(r"\b[a-k][0-9]{1,2}\b|[a-k][0-9]{1,2}[a-k][0-9]{1,2}|\b\w+[.]\w+/\w+", re.ASCII)
"""A square, a move, or the address of a source."""


@pytest.mark.parametrize("options", ["", "king_steps=2 men_steps=1 centre_stop=any king_captured_by=all-sides"])
def test_every_variant_is_told_as_fully_in_both_languages(options: str) -> None:
    """A title that names it, a summary, and sections with as many sentences, the same squares and the same moves."""
    for name in ("scottish", "tablut-ashton", "copenhagen") if options else names():
        rules = find(name, options)
        english, japanese = page(rules, "en"), page(rules, "ja")
        assert name in english.title and name in japanese.title
        assert english.summary and japanese.summary and english.board, name
        assert len(english.sections) >= 5, name
        for ours, theirs in zip(english.sections, japanese.sections, strict=True):
            assert ours.heading and all(ours.sentences) and len(ours.sentences) == len(theirs.sentences), name
            facts = [set(FACT.findall(" ".join(each.sentences))) for each in (ours, theirs)]
            assert facts[0] == facts[1], (name, ours.heading)


OWN = {
    "callanish:name=mine,board=5/5/2*2/5/5": ("The board is empty at the start. White places", "まず白が"),
    "callanish:name=mine,board=5/5/2*2/5/5,side=p2": ("White (p1) moves second, Black (p2) first", "まず黒が"),
    "callanish-7:name=mine,board=7/1w5/7/1W5/7/5b1/7": ("has 2 white and 2 black stones, as drawn", "黒の石が2個"),
    "callanish-7:name=mine,board=7/7/7/7/7/5b1/7": (
        "0 white and 1 black stone, as drawn. The first turn of White is to place one stone",
        "白の最初の手番では",
    ),
    "brandub:name=mine,board=3a3/7/3d3/aadkdaa/3d3/7/3a3,side=p2": (
        "p1 has 6 attackers and moves second. p2 has a king and 4 defenders",
        "後手（p1）は攻撃側で、駒は6個です。先手（p2）は守備側で",
    ),
}
"""Variants of users' own, and what both languages say of their starts."""


@pytest.mark.parametrize("name", OWN)
def test_a_variant_of_ones_own_is_told_with_its_start(name: str) -> None:
    """Its stones or pieces, and who moves first, in both languages; the title has its name and that of its base."""
    rules = find(name)
    for lang, part in zip(LANGS, OWN[name], strict=True):
        assert part in told(name, lang)
        found = page(rules, lang, "Mine!")
        assert found.title.startswith("Mine!") and "mine" in found.title and rules.base in found.title
        assert "board=" not in found.title
    english, japanese = page(rules, "en").sections, page(rules, "ja").sections
    assert [len(section.sentences) for section in english] == [len(section.sentences) for section in japanese]


def test_who_plays_a_variant_is_told_with_a_source() -> None:
    """Each page ends with it, in both languages, and says where changed rules differ."""
    for name in names():
        for lang in LANGS:
            played, source = page(find(name), lang).sections[-1].sentences
            assert len(played) > 15 and re.search(r"[a-z]+[.](com|dk|uk|php)|/", source), (name, lang)
    changed = page(find("copenhagen", "fort=no"), "en").sections[-1].sentences
    assert changed[-1] == "The rules here differ from that: fort=no."
    assert "World Tafl Federation" in changed[0] and "aagenielsen.dk/copenhagen_rules.php" in changed[1]


@pytest.mark.parametrize(
    ("options", "english", "japanese"),
    [
        ("", "any square on the edge", "盤の端のマス"),
        ("escape=corner", "reaches a corner: a1, a7, g1 or g7", "隅のマス（a1、a7、g1、g7）"),
        ("", "takes no part in captures", "王は捕獲に加わりません"),
        ("king_armed=yes", "he captures with the defenders", "王も兵と同じように捕獲に加わります"),
        ("", "by two attackers on opposite sides", "両側から2つの攻撃側の駒に挟まれる"),
        ("king_captured_by=four", "all four squares next to him are held by attackers, and", "上下左右の4マスがすべて"),
        ("king_captured_by=four-three-two", "on the three other sides", "中央以外の3方向"),
        ("king_steps=2", "the king up to 2 squares", "王は2マスまで"),
        ("centre_stop=any", "Any piece may stop on the centre", "中央のマス d4 には、どの駒も止まることができます"),
        ("centre_stop=nobody", "cannot return", "一度離れると戻れません"),
        ("corner_stop=king", "Only the king may stop on a corner", "隅のマスに止まることができるのは、王だけです"),
        ("corner_hostile=yes", "The corners are hostile, whoever", "隅のマスは（駒があってもなくても）敵対マス"),
        ("repetition=loses", "for the third time", "3回目に生じさせた側は、負け"),
        ("repetition=forbidden-p2", "may not make a move after which the board", "戻る手を指せません"),
        ("occurrences=2", "for the second time", "2回目に現れると、引き分け"),
        ("centre_pass=king", "Only the king may pass over it", "王だけは通り抜ける"),
        ("centre_pass=nobody centre_stop=any", "No piece may pass over it", "どの駒も通り抜けることはできません"),
        ("centre_hostile=always", "The centre is hostile, whoever stands on it", "中央のマスは（駒があっても"),
        ("king_captured_by=four-two", "Anywhere else he is captured like a man", "それ以外の場所にいる王は"),
        ("king_captured_by=all-sides", "On an edge three squares are enough", "盤の端では3マスで足ります"),
        ("shieldwall=corner escape=corner", "or an empty corner. All", "空いている隅のマスがあれば"),
        ("encirclement=wins", "win by encirclement", "包囲によっても勝ちます"),
        ("fort=wins escape=corner", "wins by a fort", "砦によっても勝ちます"),
        ("no_move=draw", "no legal move, the game is a draw", "合法な手がなければ、引き分け"),
    ],
)
def test_tafl_is_true_to_its_rule_options(options: str, english: str, japanese: str) -> None:
    """What a rule option decides is said in both languages."""
    assert english in told("scottish", "en", options)
    assert japanese in told("scottish", "ja", options)


def short_rules(name: str) -> tuple[str, ...]:
    rules = find(name)
    return kind_of(rules).short_rules(rules, rules.start())


def test_every_variant_is_told_in_five_lines() -> None:
    """Each fits a terminal of 80 columns, and none is empty."""
    for name in names():
        lines = short_rules(name)
        assert len(lines) == 5
        assert all(20 < columns(line) <= 80 for line in lines), lines


def test_five_lines_say_what_differs_between_variants() -> None:
    """How far pieces go, who captures, what captures the king, where he escapes, how many squares a line needs."""
    told = {name: " ".join(short_rules(name)) for name in names()}
    assert "if 5 of its squares" in told["callanish-9"] and "if 4 of" in told["callanish-7"]
    assert "reaches the edge" in told["scottish"] and "a corner" in told["brandub"]
    assert "king does not help" in told["scottish"] and "king helps" in told["scottish-armed"]
    assert "one square" in told["ard-ri"] and "the king up to 2 squares" in told["scottish-king2"]
    assert "all four sides" in told["ard-ri"] and "3 beside it" in told["brandub-nielsen"]
