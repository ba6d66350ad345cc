"""The rules of a variant in five lines, for somebody who is about to play. The whole rules are in `page`."""

# ruff: noqa: RUF001 - Japanese is written with full-width brackets, which look like others.

from typing import assert_never

from arena.games.rules import Position, Rules
from arena.games.tafl_variants import Escape, KingCapturedBy, Steps
from arena.rulebook.board_drawing import Lang
from arena.rulebook.facts import CallanishFacts, TaflFacts, facts

Five = tuple[str, str, str, str, str]


def short_rules(rules: Rules, lang: Lang = "en", start: Position | None = None) -> Five:
    """Five lines of at most 80 columns: who begins, how to move, what a move does, who wins.

    `start` is where the game begins, if not where the variant does.
    """
    known, start = facts(rules), start or rules.start()
    if isinstance(known, TaflFacts):
        return _tafl_ja(known, start) if lang == "ja" else _tafl_en(known, start)
    return _callanish_ja(known, start) if lang == "ja" else _callanish_en(known, start)


def _callanish_en(known: CallanishFacts, start: Position) -> Five:
    first = "White (p1)" if start.side == "p1" else "Black (p2)"
    return (
        f"{first} begins. A side without stones puts one on a free square: e5.",
        "Then take one stone of yours off and put two a knight's move from it: b2a4d1.",
        "They may land on enemy stones, which they cover, but not on your own.",
        f"You hold a file or rank if {_need(known) or 'half'} of its squares show your stones, in any places.",
        "A line that you still hold after the reply wins. A side without a turn loses.",
    )


def _callanish_ja(known: CallanishFacts, start: Position) -> Five:
    first = "白（p1）" if start.side == "p1" else "黒（p2）"
    need = "半分" if _need(known) is None else f"{_need(known)}マス"
    return (
        f"先に指すのは{first}です。石のない側は、空いているマスに石を1つ置きます（e5）。",
        "次からは石を1つ取り、ナイトの動きで届く2マスに1つずつ置きます（b2a4d1）。",
        "相手の石には重ねて置けますが、自分の石の上には置けません。",
        f"列か行の{need}以上で自分の石が一番上にあれば、そのラインを持ちます。",
        "相手の次の手のあとも持っていれば勝ちです。手番を行えなければ負けです。",
    )


def _need(known: CallanishFacts) -> int | None:
    """How many squares every line needs; None if lines differ, so that half of their squares is the shorter answer."""
    return known.needs[0].squares if len(known.needs) == 1 and not known.any_board else None


def _tafl_en(known: TaflFacts, start: Position) -> Five:
    attackers, defenders = _men(start)
    first = "attackers" if start.side == "p1" else "defenders"
    options = known.options
    helps = "helps" if options.king_armed == "yes" else "does not help"
    return (
        f"{_some(attackers, 'attacker')} (p1) and a king with {_some(defenders, 'defender')} (p2). The {first} begin.",
        f"Pieces move like rooks, {_steps_en(options.men_steps, options.king_steps)}: d1d3.",
        f"Capture a man between two of yours, by moving there. The king {helps}.",
        f"The king is captured by {_captors_en(options.king_captured_by)}.",
        f"He wins when he reaches {_goal_en(options.escape)}. The attackers win when they capture him.",
    )


def _some(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'s' * (count != 1)}"


def _steps_en(men: Steps, king: Steps) -> str:
    far = {"any": "any distance", "1": "one square"}
    texts = [far.get(steps, f"up to {steps} squares") for steps in (men, king)]
    return texts[0] if men == king else f"men {texts[0]}, the king {texts[1]}"


def _captors_en(rule: KingCapturedBy) -> str:
    match rule:
        case "two":
            return "two attackers on opposite sides"
        case "four":
            return "attackers on all four sides"
        case "four-three-two":
            return "4 attackers on the centre, 3 beside it, 2 elsewhere"
        case _:
            assert_never(rule)


def _goal_en(escape: Escape) -> str:
    match escape:
        case "edge":
            return "the edge"
        case "corner":
            return "a corner"
        case _:
            assert_never(escape)


def _men(start: Position) -> tuple[int, int]:
    """The numbers of attackers and of defenders."""
    board = start.fen().split()[0]
    return board.count("a"), board.count("d")


def _tafl_ja(known: TaflFacts, start: Position) -> Five:
    attackers, defenders = _men(start)
    first = "攻撃側" if start.side == "p1" else "守備側"
    options = known.options
    helps = "加わります" if options.king_armed == "yes" else "加わりません"
    return (
        f"攻撃側（p1）の駒は{attackers}個、守備側（p2）は王と{defenders}個です。先に指すのは{first}です。",
        f"駒はルークのように動きます（{_steps_ja(options.men_steps, options.king_steps)}）。例：d1d3",
        f"自分の駒2つで兵を挟むように動くと捕獲できます。王は捕獲に{helps}。",
        f"王は{_captors_ja(options.king_captured_by)}攻撃側の駒に捕獲されます。",
        f"王が{_goal_ja(options.escape)}に着くと守備側の勝ち、王を捕獲すると攻撃側の勝ちです。",
    )


def _steps_ja(men: Steps, king: Steps) -> str:
    far = {"any": "何マスでも", "1": "1マス"}
    texts = [far.get(steps, f"{steps}マスまで") for steps in (men, king)]
    return texts[0] if men == king else f"兵は{texts[0]}、王は{texts[1]}"


def _captors_ja(rule: KingCapturedBy) -> str:
    match rule:
        case "two":
            return "両側の2つの"
        case "four":
            return "上下左右の4つの"
        case "four-three-two":
            return "中央では4つ、その隣では3つ、ほかでは2つの"
        case _:
            assert_never(rule)


def _goal_ja(escape: Escape) -> str:
    match escape:
        case "edge":
            return "盤の端"
        case "corner":
            return "隅"
        case _:
            assert_never(escape)
