"""The rules in Japanese: the texts that `sentences` fills with the facts of a variant. `english` has the same ones."""

# ruff: noqa: RUF001 - Japanese is written with full-width brackets, which look like others.

TEXTS = {
    "white": "白",
    "black": "黒",
    "attackers": "攻撃側",
    "defenders": "守備側",
    "king": "王",
    "men": "兵",
    "first": "先手",
    "second": "後手",
    "comma": "、",
    "and": "、",
    "or": "、",
    "any board": "描いた盤",
    "own title": "{title}（{name}）：{game}",
    # The sections of a page.
    "heading start": "はじめに",
    "heading turn": "手番",
    "heading stacks": "スタック",
    "heading moves": "動き",
    "heading capturing men": "兵の捕獲",
    "heading capturing the king": "王の捕獲",
    "heading end": "終わり方",
    "heading writing": "手の書き方",
    "heading origin": "どこで遊ばれているか",
    "source": "規則の出典は {source} です。",
    "origin changed": "ここでは、その規則を変えてあります（{changed}）。",
    "played callanish": "ホセ・マヌエル・アスティジェロス・ガルシア＝モンヘが考案し、"
    "ネストルゲームズが2014年に出版したゲームです。",
    # Callanish.
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
    # Tafl.
    "tafl title": "{title}（{facts.base}{changed}）",
    "tafl title scottish": "スコティッシュゲーム",
    "tafl title scottish-armed": "スコティッシュゲーム（王も捕獲に加わる）",
    "tafl title scottish-king1": "スコティッシュゲーム（王は1マス）",
    "tafl title scottish-king2": "スコティッシュゲーム（王は2マスまで）",
    "tafl title scottish-king3": "スコティッシュゲーム（王は3マスまで）",
    "tafl title brandub": "ブランドゥブ",
    "tafl title brandub-nielsen": "ブランドゥブ（ニールセン版）",
    "tafl title ard-ri": "アルド・リー",
    "tafl title ard-ri-two": "アルド・リー（王は2つで捕獲）",
    "tafl title tawlbwrdd": "タウルブルズ",
    "tafl title tawlbwrdd-bell": "世界タフル連盟のタウルブルズ（ベルの配置）",
    "tafl title tawlbwrdd-lewis": "世界タフル連盟のタウルブルズ（ルイスの配置）",
    "tafl title sea-battle-9": "海戦タフル",
    "tafl title sea-battle-9-wtf": "世界タフル連盟の海戦タフル",
    "tafl title sea-battle-11": "世界タフル連盟の海戦タフル、11×11",
    "tafl title tablut-saami": "サーミのタブルット",
    "tafl title tablut-ashton": "アシュトンのタブルット",
    "tafl title fetlar": "フェトラー・ネファタフル",
    "tafl title computer-fetlar": "コンピューター・フェトラー",
    "tafl title copenhagen": "コペンハーゲン・ネファタフル",
    "played scottish": "スコットランドで見つかった盤のために、ダミアン・ウォーカーが2013年に復元したものです。",
    "played brandub": "アイルランドで見つかった盤のために、ダミアン・ウォーカーが2005年に復元したものです。",
    "played brandub-nielsen": "ブランドゥブに、オーエ・ニールセンの古いゲームの王の規則を合わせたものです。",
    "played ard-ri": "現代のゲームで、ウェブや店で広く知られています。",
    "played tawlbwrdd": "ロバート・アプ・イヴァンが1587年にウェールズで書き残したゲームを、ベルが復元したものです。",
    "played tawlbwrdd-bell": "アブストラクト・プレイにあり、世界タフル連盟の人々も遊んでいます。",
    "played tawlbwrdd-lewis": "世界タフル連盟が、守備側を先手として、選手権で使ったゲームです。",
    "played sea-battle-9": "世界タフル連盟のゲームから包囲の規則を除き、同じ局面の繰り返しを引き分けにしたものです。",
    "played sea-battle-wtf": "世界タフル連盟が2024年の選手権で使ったゲームです。",
    "played tablut-saami": "世界タフル連盟が、歴史部門の選手権で使っています。守備側を先手とする大会もあります。",
    "played tablut-ashton": "ボローニャ大学のタブルット大会で、学生たちのエンジンが指しています。",
    "played fetlar": "フェトラー選手権とオープンタフルで使われています。",
    "played computer-fetlar": "オープンタフルのエンジン大会で使われています。",
    "played copenhagen": "世界タフル連盟が最も重要な選手権で使っています。多くの対戦サーバーでも遊ばれています。",
    "changed": "、変更：{changed}",
    "tafl summary": "王は捕獲に{armed}、{escape}へ逃げる。{attackers}の駒で捕獲",
    "tafl summary, separator": "。",
    "tafl summary, armed no": "加わらず",
    "tafl summary, armed yes": "加わり",
    "tafl summary, escape edge": "端",
    "tafl summary, escape corner": "隅",
    "tafl summary, taken by two": "2つ",
    "tafl summary, taken by four": "4つ",
    "tafl summary, taken by four-three-two": "4・3・2つ",
    "tafl summary, taken by four-two": "4・2つ",
    "tafl summary, taken by all-sides": "全方向",
    "tafl summary, with": "{names}あり",
    "camps": "陣",
    "shieldwall": "盾の壁",
    "encirclement": "包囲",
    "fort": "砦",
    "tafl summary, steps 1": "{who}は1マス",
    "tafl summary, steps": "{who}は{steps}マスまで",
    "tafl board": "盤には{facts.size}本の列と{facts.size}本の行があります。中央のマスは {facts.centre}、"
    "隅のマスは {corners} です。",
    "tafl sides": "{first}（p1）は攻撃側で、駒は{facts.attackers}個です。{second}（p2）は守備側で、駒は王と、"
    "そのほかに{facts.defenders}個です。両者の王以外の駒を、兵と呼びます。",
    "steps": "すべての駒は、チェスのルークのように、列または行に沿って動きます。"
    "動けるのは、兵は{men}、王は{king}です。",
    "steps, all alike": "すべての駒は、チェスのルークのように、列または行に沿って{men}動きます。",
    "far any": "何マスでも",
    "far 1": "1マスだけ",
    "far": "{steps}マスまで",
    "no jump": "ほかの駒を飛び越えることも、ほかの駒のあるマスに入ることもできません。",
    "centre any": "中央のマス {facts.centre} には、どの駒も止まることができます。",
    "centre king": "中央のマス {facts.centre} に止まることができるのは、王だけです。",
    "centre nobody": "中央のマス {facts.centre} には、どの駒も止まることができません。王も、一度離れると戻れません。",
    "crossing all": "{stop}空いていれば、どの駒も通り抜けることができます。",
    "crossing men": "{stop}空いていれば、兵は通り抜けることができます。",
    "crossing king": "{stop}空いていれば、王は通り抜けることができます。",
    "crossing only king": "{stop}空いていれば、王だけは通り抜けることができます。",
    "crossing nobody": "{stop}空いていても、どの駒も通り抜けることはできません。",
    "camp separator": "、",
    "corner king": "隅のマスに止まることができるのは、王だけです。",
    "corner any": "隅のマスには、どの駒も止まることができます。",
    "king armed no": "王は捕獲に加わりません。動いて挟むことも、反対側で挟む役をすることもできません。",
    "king armed yes": "王も兵と同じように捕獲に加わります。動いて挟むことも、反対側で挟む役をすることもできます。",
    "hostile": "敵対マスです。兵を反対側から挟む敵の駒の代わりになります。",
    "hostile, king by two": "敵対マスです。兵や、2つの駒に捕獲される王を反対側から挟む敵の駒の代わりになります。",
    "hostile centre no, corners no": "空いている中央のマスと隅のマスは、どちらの側にとっても敵の代わりになりません。",
    "hostile centre yes, corners no": "空いている中央のマスは{effect}"
    "隅のマスは、どちらの側にとっても敵の代わりになりません。",
    "hostile centre no, corners yes": "隅のマスは（駒があってもなくても）{effect}"
    "空いている中央のマスは、どちらの側にとっても敵の代わりになりません。",
    "hostile centre yes, corners yes": "空いている中央のマスと、隅のマス（駒があってもなくても）は、{effect}",
    "hostile centre always, corners no": "中央のマスは（駒があってもなくても）{effect}"
    "隅のマスは、どちらの側にとっても敵の代わりになりません。",
    "hostile centre always, corners yes": "中央のマスと隅のマスは（駒があってもなくても）{effect}",
    "picture shieldwall": "盾の壁（{move} の前と後）",
    "picture encirclement": "包囲（{move} の前と後）",
    "picture fort": "砦（{move} の前と後）",
    "shieldwall end corner": "動いた側の別の駒か、空いている隅のマス",
    "shieldwall end yes": "動いた側の別の駒",
    "held by": "攻撃側の駒",
    "held by, or the centre": "攻撃側の駒か空いている中央のマス",
    "held by, or the centre always": "攻撃側の駒か守備側の駒のない中央のマス",
    "camps hold the king": "陣の外にいる王の隣にある陣のマスは、捕獲に3つ以上の駒がいる場合、守備側の駒がなければ"
    "攻撃側の駒とみなされます。",
    "corners hold the king": "王の隣にある隅のマスは、守備側の駒がなければ、攻撃側の駒とみなされます。",
    "king on an edge": "盤の端にいる王は、隣のマスが4つないので、そこでは捕獲されません。",
    "king wins": "王が{goal}に着くと、その時点で守備側の勝ちです。",
    "goal edge": "盤の端のマス（隅を含む）のどれか",
    "goal corner": "隅のマス（{corners}）のどれか",
    "attackers win": "攻撃側は、王を捕獲すると勝ちです。",
    "stuck loses": "手番の側に合法な手がなければ、その側の負けです。駒がなくなった攻撃側も負けになります。",
    "stuck draw": "手番の側に合法な手がなければ、引き分けです。攻撃側の駒がなくなった場合も引き分けになります。",
    "occurrence 3": "3回目",
    "occurrence 2": "2回目",
    "repeated draw": "同じ局面（手番も同じもの。対局開始時の局面も数える）が{time}に現れると、引き分けになります。",
    "repeated loses": "同じ局面（手番も同じもの。対局開始時の局面も数える）を{time}に生じさせた側は、負けになります。",
    "repeated p2-loses": "同じ局面（手番も同じもの。対局開始時の局面も数える）が{time}に現れると、"
    "どちらが生じさせても、守備側の負けになります。",
    "agreement": "両者の合意で引き分けにすることもできます。",
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
    "capturing": (
        "敵の駒が隣に動いてきて、列または行に沿って両側から敵に挟まれた兵は、捕獲されて盤から取り除かれます。",
        "捕獲が起こるのは、挟む側が動いたときだけです。敵の駒の間に自分から入っても捕獲されません。"
        "1手で複数の駒を捕獲することもあります。",
    ),
    "king two": ("王は、どこにいても、兵と同じように両側から2つの攻撃側の駒に挟まれると捕獲されます。",),
    "king four": (
        "王は、上下左右の4マスがすべて{holders}でふさがれ、そのうちの1つに攻撃側の駒が動いてきたときだけ捕獲されます。",
    ),
    "king four-two": (
        "中央のマスにいる王は、上下左右の4マスがすべて攻撃側の駒でふさがれ、そのうちの1つが動いてきたときだけ捕獲されます。",
        "それ以外の場所にいる王は、兵と同じように、両側から2つの攻撃側の駒に挟まれると捕獲されます。",
    ),
    "king all-sides": (
        "王は、隣のマスがすべて{holders}でふさがれ、そのうちの1つに攻撃側の駒が動いてきたときに捕獲されます。"
        "盤の端では3マスで足ります。",
    ),
    "camps": (
        "4つの陣があります。陣のマスは、{camps} です。",
        "陣のマスに止まったり、そこを通り抜けたりできるのは、その陣の中にいる駒だけです。一度出ると戻れません。",
    ),
    "capturing at camps": (
        "陣のマスは（駒があってもなくても）、陣の外にあるすべての駒にとって{effect}",
        "陣の中の駒が、同じ陣のマスとの間に挟まれて捕獲されることはありません。",
    ),
    "shieldwall": (
        "端に並んだ駒は、盾の壁で捕獲されます。駒が端のマスへ動き、その隣から端に沿って2つ以上の敵の駒が途切れずに並び、"
        "そのどれもが正面に動いた側の駒を持ち、列の反対の終わりに{end}があれば、王を除く列の駒がすべて捕獲されます。",
        "列の正面のマスを埋めるだけの手では、何も捕獲されません。",
    ),
    "fort wins": (
        "守備側は、砦によっても勝ちます。自分の手のあとで、王が盤の端にいて隣に空きマスがあり、王から空きマスをたどっても"
        "攻撃側の駒にも隅にも届かなければ、砦です。",
        "ただし、壁の兵のどれかが、列または行に沿って両側に、攻撃側の駒、外の空きマス、敵対マスのどれかを持つ場合は、"
        "砦になりません。",
    ),
    "encirclement wins": (
        "攻撃側は、包囲によっても勝ちます。自分の手のあとで、盤の端から攻撃側の駒のないマスを縦横にたどっても、"
        "王にも守備側のどの駒にも届かなければ、包囲です。",
    ),
    "king four-three-two": (
        "中央のマスにいる王は、上下左右の4マスすべてに攻撃側の駒があると捕獲されます。",
        "中央の隣のマスにいる王は、中央以外の3方向に攻撃側の駒があり、中央が空いているか攻撃側の駒があるときに"
        "捕獲されます。",
        "どちらの場合も、攻撃側の駒が王の隣に動いてきたときに限ります。",
        "それ以外の場所にいる王は、兵と同じように、両側から2つの攻撃側の駒に挟まれると捕獲されます。",
    ),
    "writing tafl": (
        "マスは、列の文字と行の数字で表します。a1 は左下のマスです。",
        "手は、d1d3 のように、動く前のマスと動いた先のマスを続けて書きます。",
    ),
}
