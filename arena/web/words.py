"""The words of the interface in English and Japanese.

Templates ask for a word by its English text. Sentences that are computed elsewhere, such as notes below a table, and
everything that strangers wrote stay as they are.
"""

# ruff: noqa: RUF001 - Japanese signs look like others on purpose.

from collections.abc import Callable

from arena.rulebook.board_drawing import Lang

LANGUAGES: tuple[Lang, ...] = ("en", "ja")
NAMES: dict[Lang, str] = {"en": "English", "ja": "日本語"}
"""What each language calls itself."""

JAPANESE = {
    "Between the two": "両者の対局",
    "CPU": "CPU",
    "Configuration": "設定",
    "Crosstable": "対戦表",
    "Downloads": "ダウンロード",
    "Each opponent": "相手ごと",
    "Each side": "手番ごと",
    "Endings": "終局の理由",
    "Engine": "エンジン",
    "Engines": "エンジン一覧",
    "Evidence of the fault": "反則の証拠",
    "Game": "対局",
    "Games": "対局一覧",
    "Language": "言語",
    "Left out in this report, because it may name files or machines.": (
        "ファイル名や機械名を含むことがあるため、この報告では省略しました。"
    ),
    "Lost by a fault": "反則負け",
    "Lost games and why": "負けた対局とその理由",
    "Machine": "機械",
    "Made by": "作成",
    "Move list": "手順",
    "No games.": "対局はありません。",
    "Overview": "概要",
    "PGN": "PGN",
    "Rating": "レーティング",
    "Rating over time": "レーティングの推移",
    "Ratings": "レーティング",
    "Remarkable games": "注目の対局",
    "Round": "回戦",
    "Rounds": "各回戦",
    "Run": "実行",
    "Score": "評価値",
    "Scores": "評価値の推移",
    "Sequential test": "逐次検定",
    "Sections": "ページ",
    "Setting": "項目",
    "Shortest": "最短",
    "Longest": "最長",
    "Most disputed": "評価が最も食い違った対局",
    "Lost by a fault, the last ones": "最近の反則負け",
    "Skip to the content": "本文へ移動",
    "Standings": "順位表",
    "Ladder": "ラダー",
    "Started": "開始",
    "The last words of the engine (stderr)": "エンジンの最後の出力（stderr）",
    "The last lines of the dialogue": "やり取りの最後の部分",
    "This game cannot be replayed": "この対局は再現できません",
    "Time a move": "一手の時間",
    "Variant": "種目",
    "Versions": "版",
    "Withdrawn": "棄権",
    "author": "作者",
    "before the fall": "敗勢になる前",
    "clock": "時計",
    "depth": "深さ",
    "draw": "引き分け",
    "drawn": "分",
    "ending": "理由",
    "engine": "エンジン",
    "fault": "反則",
    "file": "ファイル",
    "first": "最初へ",
    "games": "局数",
    "late": "遅延",
    "last": "最後へ",
    "lost": "負",
    "mean": "平均",
    "moves": "手数",
    "move": "手",
    "most": "最大",
    "next": "次へ",
    "next game": "次の対局",
    "next page": "次のページ",
    "number": "番号",
    "opening": "序盤",
    "opponent": "相手",
    "plies": "手数",
    "ply": "手目",
    "previous": "前へ",
    "previous game": "前の対局",
    "previous page": "前のページ",
    "reason": "理由",
    "result": "結果",
    "round": "回戦",
    "row against column": "行から見た列との成績",
    "run": "実行",
    "side": "手番",
    "start": "開始局面",
    "started": "開始",
    "termination": "終局",
    "time": "時間",
    "time control": "持ち時間",
    "unfinished": "未終了",
    "variant": "種目",
    "version": "版",
    "won": "勝",
    "bye": "不戦勝",
    "family": "系統",
    "pairs": "組",
    "undecided": "未決",
    # Terminations.
    "line": "列の支配",
    "no-turn": "手番を完了できず",
    "king-escaped": "王の脱出",
    "king-captured": "王の捕獲",
    "repetition": "千日手",
    "no-move": "合法手なし",
    "resignation": "投了",
    "draw-agreed": "合意の引き分け",
    "adjudication": "裁定",
    "illegal-move": "反則手",
    "malformed-move": "読めない手",
    "crash": "異常終了",
    "stall": "応答なし",
}
"""Each English word or sentence of the interface, in Japanese."""


def translator(lang: Lang) -> Callable[[str], str]:
    """The function that templates call for a word. Raises KeyError for a word without a translation."""
    return (lambda text: text) if lang == "en" else JAPANESE.__getitem__
