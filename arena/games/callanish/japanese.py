"""The rules of Callanish in Japanese: texts that `callanish.page` fills with facts. `english` has the same ones."""

# ruff: noqa: RUF001 - Japanese is written with full-width brackets, which look like others.

TEXTS = {
    "white": "白",
    "black": "黒",
    "comma": "、",
    "and": "、",
    "or": "、",
    "any board": "描いた盤",
    "own title": "{title}（{name}）：{game}",
    # The sections of a page.
    "heading start": "はじめに",
    "heading turn": "手番",
    "heading stacks": "スタック",
    "heading end": "終わり方",
    "heading writing": "手の書き方",
    "heading origin": "どこで遊ばれているか",
    "source": "規則の出典は {source} です。",
    "played callanish": "ホセ・マヌエル・アスティジェロス・ガルシア＝モンヘが考案し、"
    "ネストルゲームズが2014年に出版したゲームです。",
    "callanish title": "カラニッシュ（{facts.name}）",
    "callanish summary": "1ラインの{needs}マスで勝ち{holes}",
    "callanish summary, any board": "自分で描いた盤（なければ callanish-9）",
    "callanish summary, or": "または",
    "callanish summary, holes": "（{count}マス欠け）",
    "callanish board": "盤には{facts.width}本の列と{facts.height}本の行があります。",
    "callanish board, any": "盤は自分で描きます。25×25マスまでの長方形で、好きなマスを欠けさせることができます。"
    "盤を描かなければ、callanish-9 の9×9の盤になります。",
    "holes": "{holes} には灰色の石があり、この{count}マスは使いません。",
    "callanish sides p1": "先手（p1）が白、後手（p2）が黒です。",
    "callanish sides p2": "先手（p2）が黒、後手（p1）が白です。",
    "first stones": "盤には最初、石がありません。まず{one}が空いているマスに石を1つ置き、"
    "次に{other}が別の空いているマスに石を1つ置きます。",
    "stones": "最初の盤には、描かれたとおり、白の石が{white}個、黒の石が{black}個あります。",
    "stones of one side": "{stones}{side}の最初の手番では、空いているマスに石を1つ置きます。",
    "supply": "石の数には限りがあります。手番が来たときに自分の石が盤上に{facts.supply}個あると、"
    "手番を最後まで行うことはできません。",
    "line": "1本の列全体、または1本の行全体を、ラインと呼びます。",
    "need": "ラインに必要なマスの数は、{half}です。{parts}、それ以外では{most}です。",
    "need, part": "{lines}では{squares}",
    "need, files": "{names} の列",
    "need, ranks": "{names} の行",
    "need, and": "と ",
    "need, all alike": "どのラインでも、必要なマスの数は{most}です。これは{half}です。",
    "need, any board": "ラインに必要なマスの数は、{half}です。",
    "half": "そのラインのマス数の半分（端数は切り上げ）",
    "half, holes": "そのラインのマス数の半分（端数は切り上げ、欠けたマスは数えない）",
    "adjacent": "支配するマスは隣り合っていなくてもかまいません。",
    "adjacent, holes": "支配するマスは隣り合っていなくてもかまいません。"
    "また、間に欠けたマスがあっても、ラインは分かれません。",
    "drawn line": "自分で描いた局面で、手番の側がすでにラインを持っていれば、その側の勝ちです。",
    "small": "元のルールでは列も行も7本以上の盤が勧められていますが、この盤はそれより小さいものです。",
}

LISTS = {
    "turn": (
        "その後の手番は、3つの動作からなります。まず、相手の石が上に載っていない自分の石を1つ取り除きます。次に、"
        "その石があったマスからナイトの動きで届く、異なる2つのマスに、石を1つずつ追加します。",
        "どちらのマスにも、自分の石があってはいけません。空いているマスでも、相手の石があるマスでもかまいません。",
        "手番は最後まで行えなければなりません。このようなマスが2つ以上ない石は、取り除けません。",
    ),
    "stacks": (
        "相手の石の上に石を追加するとスタックになり、そのマスは自分の支配になります。スタックは2段までで、"
        "同じプレイヤーの石が2つ重なることはありません。",
        "上の石を取り除くと、下の石が再び現れ、そのマスは下の石の持ち主の支配になります。",
    ),
    "callanish end": (
        "自分の手番が終わったとき、相手が1本のラインでその数以上のマスを支配していれば、相手の勝ちです。",
        "つまり、自分のラインができても、相手の次の手番のあとまで残っていなければ勝ちにはなりません。それまでは王手です。",
        "自分の手番によって相手のラインを出現させると、その場で負けになります。"
        "自分の手番の終わりに、自分のラインは調べません。",
        "手番を最後まで行えないプレイヤーは負けです。ただし、ラインを先に調べます。",
        "引き分けはありません。引き分けの提案は無効です。",
    ),
    "writing callanish": (
        "マスは、列の文字と行の数字で表します。a1 は左下のマスです。",
        "最初に置く手は、e5 のようにマスだけを書きます。その後の手は、石を取り除くマスと、追加する2つのマスを、"
        "b2a4d1 のように続けて書きます。追加するマスは、列、行の順に小さいほうを先に書きます。",
    ),
}
