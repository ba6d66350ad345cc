"""The rules in Japanese. It states each fact of `facts` once, in the same order as `english`, and nothing else."""

# ruff: noqa: RUF001 - Japanese is written with full-width brackets, which look like others.

from typing import assert_never

from arena.games.rules import Repetition
from arena.games.tafl_variants import CornerStop, Escape, KingCapturedBy, NoMove, Steps
from arena.rulebook.facts import CallanishFacts, Need, TaflFacts

CALLANISH_SIDES = ("白", "黒")
TAFL_SIDES = ("攻撃側", "守備側")
ANY_BOARD = "描いた盤"

_TAFL_TITLES = {
    "scottish": "スコティッシュゲーム",
    "scottish-armed": "スコティッシュゲーム（王も捕獲に加わる）",
    "scottish-king1": "スコティッシュゲーム（王は1マス）",
    "scottish-king2": "スコティッシュゲーム（王は2マスまで）",
    "scottish-king3": "スコティッシュゲーム（王は3マスまで）",
    "brandub": "ブランドゥブ",
    "brandub-nielsen": "ブランドゥブ（ニールセン版）",
    "ard-ri": "アルド・リー",
    "ard-ri-two": "アルド・リー（王は2つで捕獲）",
    "tawlbwrdd": "タウルブルズ",
    "sea-battle-9": "海戦タフル",
}

_HOLE = "また、間に欠けたマスがあっても、ラインは分かれません。"

Sections = dict[str, list[str]]


def own_title(title: str, name: str, game: str) -> str:
    """The title of a user's own variant of `game`."""
    return f"{title}（{name}）：{game}"


def callanish_title(facts: CallanishFacts) -> str:
    return f"カラニッシュ（{facts.name}）"


def callanish_summary(facts: CallanishFacts) -> str:
    if facts.any_board:
        return "自分で描いた盤（なければ callanish-9）"
    needs = "または".join(str(need.squares) for need in facts.needs)
    holes = f"（{len(facts.holes)}マス欠け）" if facts.holes else ""
    return f"1ラインの{needs}マスで勝ち{holes}"


def callanish(facts: CallanishFacts) -> Sections:
    if facts.any_board:
        board = "盤は自分で描きます。25×25マスまでの長方形で、好きなマスを欠けさせることができます。盤を描かなければ、"
        board += "callanish-9 の9×9の盤になります。"
    else:
        board = f"盤には{facts.width}本の列と{facts.height}本の行があります。"
    start = [board]
    if facts.holes:
        start.append(f"{_list(facts.holes)} には灰色の石があり、この{len(facts.holes)}マスは使いません。")
    start += [
        "先手（p1）が白、後手（p2）が黒です。" if facts.first == "p1" else "先手（p2）が黒、後手（p1）が白です。",
        _first_stones(facts),
    ]
    turn = [
        "その後の手番は、3つの動作からなります。まず、相手の石が上に載っていない自分の石を1つ取り除きます。次に、"
        "その石があったマスからナイトの動きで届く、異なる2つのマスに、石を1つずつ追加します。",
        "どちらのマスにも、自分の石があってはいけません。空いているマスでも、相手の石があるマスでもかまいません。",
        "手番は最後まで行えなければなりません。このようなマスが2つ以上ない石は、取り除けません。",
    ]
    if facts.supply is not None:
        turn.append(
            f"石の数には限りがあります。手番が来たときに自分の石が盤上に{facts.supply}個あると、"
            "手番を最後まで行うことはできません。"
        )
    end = [
        "1本の列全体、または1本の行全体を、ラインと呼びます。",
        _need(facts),
        f"支配するマスは隣り合っていなくてもかまいません。{_HOLE if facts.holes or facts.any_board else ''}",
        "自分の手番が終わったとき、相手が1本のラインでその数以上のマスを支配していれば、相手の勝ちです。",
        "つまり、自分のラインができても、相手の次の手番のあとまで残っていなければ勝ちにはなりません。それまでは王手です。",
        "自分の手番によって相手のラインを出現させると、その場で負けになります。"
        "自分の手番の終わりに、自分のラインは調べません。",
        "手番を最後まで行えないプレイヤーは負けです。ただし、ラインを先に調べます。",
        "引き分けはありません。引き分けの提案は無効です。",
    ]
    if facts.any_board:
        end.append("自分で描いた局面で、手番の側がすでにラインを持っていれば、その側の勝ちです。")
    if facts.small:
        end.append("元のルールでは列も行も7本以上の盤が勧められていますが、この盤はそれより小さいものです。")
    return {
        "はじめに": start,
        "手番": turn,
        "スタック": [
            "相手の石の上に石を追加するとスタックになり、そのマスは自分の支配になります。スタックは2段までで、"
            "同じプレイヤーの石が2つ重なることはありません。",
            "上の石を取り除くと、下の石が再び現れ、そのマスは下の石の持ち主の支配になります。",
        ],
        "終わり方": end,
        "手の書き方": [
            "マスは、列の文字と行の数字で表します。a1 は左下のマスです。",
            "最初に置く手は、e5 のようにマスだけを書きます。その後の手は、石を取り除くマスと、追加する2つのマスを、"
            "b2a4d1 のように続けて書きます。追加するマスは、列、行の順に小さいほうを先に書きます。",
        ],
    }


def _first_stones(facts: CallanishFacts) -> str:
    white, black = facts.stones
    if not white and not black:
        one, other = ("白", "黒") if facts.first == "p1" else ("黒", "白")
        return (
            f"盤には最初、石がありません。まず{one}が空いているマスに石を1つ置き、"
            f"次に{other}が別の空いているマスに石を1つ置きます。"
        )
    drawn = f"最初の盤には、描かれたとおり、白の石が{white}個、黒の石が{black}個あります。"
    if white and black:
        return drawn
    return f"{drawn}{'白' if black else '黒'}の最初の手番では、空いているマスに石を1つ置きます。"


def _need(facts: CallanishFacts) -> str:
    half = "そのラインのマス数の半分（端数は切り上げ"
    half += "、欠けたマスは数えない）" if facts.holes or facts.any_board else "）"
    if facts.any_board:
        return f"ラインに必要なマスの数は、{half}です。"
    *others, most = facts.needs
    if not others:
        return f"どのラインでも、必要なマスの数は{most.squares}です。これは{half}です。"
    parts = [f"{_lines(need)}では{need.squares}" for need in others]
    return f"ラインに必要なマスの数は、{half}です。{'、'.join(parts)}、それ以外では{most.squares}です。"


def _lines(need: Need) -> str:
    parts = []
    if need.files:
        parts.append(f"{_list(need.files)} の列")
    if need.ranks:
        parts.append(f"{_list(tuple(map(str, need.ranks)))} の行")
    return "と ".join(parts)


def tafl_title(facts: TaflFacts) -> str:
    changed = f"、変更：{facts.changed.replace(' ', '、')}" if facts.changed else ""
    return f"{_TAFL_TITLES[facts.base]}（{facts.base}{changed}）"


def tafl_summary(facts: TaflFacts) -> str:
    options = facts.options
    armed = "加わり" if options.king_armed == "yes" else "加わらず"
    escape, attackers = _where(options.escape), _attackers(options.king_captured_by)
    steps = [
        f"{who}は{limit}マス{'まで' * (limit != '1')}"
        for who, limit in (("王", options.king_steps), ("兵", options.men_steps))
        if limit != "any"
    ]
    return "。".join([f"王は捕獲に{armed}、{escape}へ逃げる。{attackers}の駒で捕獲", *steps])


def _where(escape: Escape) -> str:
    match escape:
        case "edge":
            return "端"
        case "corner":
            return "隅"
        case _:
            assert_never(escape)


def _attackers(rule: KingCapturedBy) -> str:
    match rule:
        case "two":
            return "2つ"
        case "four":
            return "4つ"
        case "four-three-two":
            return "4・3・2つ"
        case _:
            assert_never(rule)


def tafl(facts: TaflFacts) -> Sections:
    first, second = ("先手", "後手") if facts.first == "p1" else ("後手", "先手")
    return {
        "はじめに": [
            f"盤には{facts.size}本の列と{facts.size}本の行があります。中央のマスは {facts.centre}、"
            f"隅のマスは {_list(facts.corners)} です。",
            f"{first}（p1）は攻撃側で、駒は{facts.attackers}個です。{second}（p2）は守備側で、駒は王と、そのほかに"
            f"{facts.defenders}個です。両者の王以外の駒を、兵と呼びます。",
        ],
        "動き": [
            _steps(facts),
            "ほかの駒を飛び越えることも、ほかの駒のあるマスに入ることもできません。",
            _centre_stop(facts),
            _corner_stop(facts.options.corner_stop),
        ],
        "兵の捕獲": _captures(facts),
        "王の捕獲": _king(facts),
        "終わり方": [
            f"王が{_goal(facts)}に着くと、その時点で守備側の勝ちです。",
            "攻撃側は、王を捕獲すると勝ちです。",
            _stuck(facts.options.no_move),
            _repeated(facts.options.repetition),
            "両者の合意で引き分けにすることもできます。",
        ],
        "手の書き方": [
            "マスは、列の文字と行の数字で表します。a1 は左下のマスです。",
            "手は、d1d3 のように、動く前のマスと動いた先のマスを続けて書きます。",
        ],
    }


def _goal(facts: TaflFacts) -> str:
    match facts.options.escape:
        case "edge":
            return "盤の端のマス（隅を含む）のどれか"
        case "corner":
            return f"隅のマス（{_list(facts.corners)}）のどれか"
        case _:
            assert_never(facts.options.escape)


def _stuck(no_move: NoMove) -> str:
    match no_move:
        case "loses":
            return "手番の側に合法な手がなければ、その側の負けです。駒がなくなった攻撃側も負けになります。"
        case "draw":
            return "手番の側に合法な手がなければ、引き分けです。攻撃側の駒がなくなった場合も引き分けになります。"
        case _:
            assert_never(no_move)


def _repeated(repetition: Repetition) -> str:
    third = "同じ局面（手番も同じもの。対局開始時の局面も数える）"
    match repetition:
        case "draw":
            return f"{third}が3回目に現れると、引き分けになります。"
        case "loses":
            return f"{third}を3回目に生じさせた側は、負けになります。"
        case _:
            assert_never(repetition)


def _steps(facts: TaflFacts) -> str:
    men, king = facts.options.men_steps, facts.options.king_steps
    if men == king:
        return f"すべての駒は、チェスのルークのように、列または行に沿って{_far(men)}動きます。"
    return (
        "すべての駒は、チェスのルークのように、列または行に沿って動きます。"
        f"動けるのは、兵は{_far(men)}、王は{_far(king)}です。"
    )


def _far(steps: Steps) -> str:
    return {"any": "何マスでも", "1": "1マスだけ"}.get(steps, f"{steps}マスまで")


def _centre_stop(facts: TaflFacts) -> str:
    centre = facts.centre
    match facts.options.centre_stop:
        case "any":
            return f"中央のマス {centre} には、どの駒も止まることができます。"
        case "king":
            stop = f"中央のマス {centre} に止まることができるのは、王だけです。"
        case "nobody":
            stop = f"中央のマス {centre} には、どの駒も止まることができません。王も、一度離れると戻れません。"
        case _:
            assert_never(facts.options.centre_stop)
    crossing = {(True, True): "どの駒も", (True, False): "兵は", (False, True): "王は"}
    crosses = crossing.get(facts.may_cross_centre)
    return f"{stop}空いていれば、{crosses}通り抜けることができます。" if crosses else stop


def _corner_stop(who: CornerStop) -> str:
    match who:
        case "king":
            return "隅のマスに止まることができるのは、王だけです。"
        case "any":
            return "隅のマスには、どの駒も止まることができます。"
        case _:
            assert_never(who)


def _captures(facts: TaflFacts) -> list[str]:
    if facts.options.king_armed == "yes":
        king = "王も兵と同じように捕獲に加わります。動いて挟むことも、反対側で挟む役をすることもできます。"
    else:
        king = "王は捕獲に加わりません。動いて挟むことも、反対側で挟む役をすることもできません。"
    return [
        "敵の駒が隣に動いてきて、列または行に沿って両側から敵に挟まれた兵は、捕獲されて盤から取り除かれます。",
        "捕獲が起こるのは、挟む側が動いたときだけです。敵の駒の間に自分から入っても捕獲されません。"
        "1手で複数の駒を捕獲することもあります。",
        king,
        _hostile(facts),
    ]


def _hostile(facts: TaflFacts) -> str:
    whom = "兵や、2つの駒に捕獲される王" if facts.king_taken_by_two else "兵"
    effect = f"敵対マスです。{whom}を反対側から挟む敵の駒の代わりになります。"
    match facts.options.centre_hostile, facts.options.corner_hostile:
        case "yes", "yes":
            return f"空いている中央のマスと、隅のマス（駒があってもなくても）は、{effect}"
        case "yes", _:
            return f"空いている中央のマスは{effect}隅のマスは、どちらの側にとっても敵の代わりになりません。"
        case _, "yes":
            return (
                f"隅のマスは（駒があってもなくても）{effect}"
                "空いている中央のマスは、どちらの側にとっても敵の代わりになりません。"
            )
    return "空いている中央のマスと隅のマスは、どちらの側にとっても敵の代わりになりません。"


def _king(facts: TaflFacts) -> list[str]:
    options = facts.options
    match options.king_captured_by:
        case "two":
            return ["王は、どこにいても、兵と同じように両側から2つの攻撃側の駒に挟まれると捕獲されます。"]
        case "four":
            around = "攻撃側の駒か空いている中央のマス" if options.centre_hostile == "yes" else "攻撃側の駒"
            sentences = [
                f"王は、上下左右の4マスがすべて{around}でふさがれ、"
                "そのうちの1つに攻撃側の駒が動いてきたときだけ捕獲されます。"
            ]
            if options.escape == "corner":
                sentences.append("盤の端にいる王は、隣のマスが4つないので、そこでは捕獲されません。")
            return sentences
        case "four-three-two":
            return [
                "中央のマスにいる王は、上下左右の4マスすべてに攻撃側の駒があると捕獲されます。",
                "中央の隣のマスにいる王は、中央以外の3方向に攻撃側の駒があり、中央が空いているか攻撃側の駒があるときに"
                "捕獲されます。",
                "どちらの場合も、攻撃側の駒が王の隣に動いてきたときに限ります。",
                "それ以外の場所にいる王は、兵と同じように、両側から2つの攻撃側の駒に挟まれると捕獲されます。",
            ]
        case _:
            assert_never(options.king_captured_by)


def _list(names: tuple[str, ...]) -> str:
    return "、".join(names)
