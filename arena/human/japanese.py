"""The sentences of a game with people in Japanese, by their English text. Both have the same braces."""

# ruff: noqa: RUF001 - Japanese is written with full-width signs, which look like others.

JAPANESE = {
    # Before and between turns.
    "You play as {side} against {engine}. ": "あなたは{side}で、相手は{engine}です。",
    "`help` lists what you can type.": "`help` で、入力できる言葉の一覧を表示します。",
    "the game goes on after ply {ply}": "{ply}手目のあとから続けます",
    "{turn}. you ({who}): ": "{turn}. あなた（{who}）: ",
    "{turn}. you ({who}, {clock} left): ": "{turn}. あなた（{who}、残り{clock}）: ",
    "{turn}. {who}: ": "{turn}. {who}: ",
    "{turn}. {who}, {clock} left: ": "{turn}. {who}、残り{clock}: ",
    "{engine} plays {move} ({figures})": "{engine}の手：{move}（{figures}）",
    "{engine} would play {move}": "{engine}なら {move} と指します",
    "{engine} would play {move} ({figures})": "{engine}なら {move} と指します（{figures}）",
    "{engine} would resign": "{engine}なら投了します",
    "{seconds} s": "{seconds}秒",
    "{clock} left": "残り{clock}",
    "depth {depth}": "深さ {depth}",
    "score {score}": "評価値 {score}",
    "line {moves}": "読み筋 {moves}",
    ", ": "、",
    " and ": "と",
    "file {name}": " {name} の列",
    "rank {name}": " {name} の行",
    "check: {holder} holds {lines}, and wins unless this turn breaks it": (
        "王手：{holder}が{lines}を支配しています。この手番で崩さなければ{holder}の勝ちです"
    ),
    # Commands.
    "a move": "手",
    "such as {example}; the start of one lists the moves that begin so": (
        "たとえば {example}。途中まで書くと、それで始まる手の一覧を表示します"
    ),
    "all legal moves": "合法な手をすべて表示します",
    "the move that an engine would play, with its score and line": (
        "エンジンならどう指すかを、評価値と読み筋とともに表示します"
    ),
    "take back your last move and the answer to it": "あなたの最後の手と、それに対する手を取り消します",
    "take back the last move": "最後の手を取り消します",
    "draw the board again": "盤をもう一度描きます",
    "the rules in five lines": "ルールを5行で表示します",
    "keep the game in a file from now on, as PGN if it ends in .pgn": (
        "これから対局をファイルに保存します（.pgn で終わる名前ならPGN形式）"
    ),
    "let another engine play on for the present one": "別のエンジンに代わらせます",
    "offer a draw, where two people play and the game has draws": (
        "引き分けを提案します（2人で対局し、引き分けのある種目のとき）"
    ),
    "give the game up": "投了します",
    "leave": "終了します",
    # Answers to what was typed.
    "{move} is no legal move: {reason}": "{move} は合法な手ではありません：{reason}",
    "{move} is no move and no command; `help` lists what you can type": (
        "{move} は手でも命令でもありません。`help` で、入力できる言葉の一覧を表示します"
    ),
    "{moves} and {count} more": "{moves} ほか{count}手",
    "1 ply taken back": "1手取り消しました",
    "{plies} plies taken back": "{plies}手取り消しました",
    "there is no move of yours to take back": "取り消せるあなたの手はありません",
    "there are no draws by agreement in this game": "この対局に合意の引き分けはありません",
    "{side}: do you agree to a draw? y or n: ": "{side}：引き分けに合意しますか？ y か n: ",
    "no draw: the game goes on": "引き分けにせず、対局を続けます",
    "two people play: there is no engine to change": "2人の対局なので、代えるエンジンはありません",
    "write `engine` and a name, such as: engine greedy": "`engine` のあとに名前を書いてください。例：engine greedy",
    "{engine} plays on": "ここからは{engine}が指します",
    "{engine} cannot play: {fault} ({detail})": "{engine}は対局できません：{fault}（{detail}）",
    "no engine gives hints here; begin with --hint-engine alphabeta, and it does": (
        "ヒントを出すエンジンがありません。--hint-engine alphabeta を付けて始めると、ヒントが出ます"
    ),
    "{engine} loses: {fault} ({detail}); {exit}": "{engine}の負け：{fault}（{detail}）、{exit}",
    "{engine} has no hint: {fault} ({detail}); {exit}": "{engine}はヒントを出せません：{fault}（{detail}）、{exit}",
    "`engine NAME` lets another engine play on; `undo`, `save FILE` and `quit` do as always.": (
        "`engine NAME` で別のエンジンが続きを指します。`undo`、`save FILE`、`quit` もいつもどおり使えます。"
    ),
    "the engine is gone: ": "エンジンがいません: ",
    "type `engine NAME`, `undo`, `save FILE`, `board` or `quit`": (
        "`engine NAME`、`undo`、`save FILE`、`board`、`quit` のどれかを入力してください"
    ),
    # Files.
    "write `save` and a file's name, such as: save game.jsonl": (
        "`save` のあとにファイル名を書いてください。例：save game.jsonl"
    ),
    "saved in {path}, which is kept up to date from now on": "{path} に保存しました。これからも更新します",
    "the game cannot be saved: {reason}": "対局を保存できません：{reason}",
    "the game is not saved: `save FILE` keeps it, `quit` again leaves without it": (
        "対局は保存されていません。`save FILE` で保存します。もう一度 `quit` と入力すると、保存せずに終了します"
    ),
    "`save FILE` keeps the game, Enter leaves: ": "`save FILE` で保存、Enterで終了: ",
    "the game is not saved; its moves: {moves}": "対局は保存されていません。手順：{moves}",
    "the game is saved: {command}": "対局は保存されています：{command}",
    "the game: {moves}": "手順：{moves}",
    # Endings.
    "you": "あなた",
    "you win": "あなたの勝ち",
    "{winner} wins": "{winner}の勝ち",
    "{win}: {reason}": "{win}：{reason}",
    "a draw: {reason}": "引き分け：{reason}",
    "{win}: you resigned": "{win}：あなたが投了しました",
    "{lost} resigns: {win}": "{lost}が投了しました：{win}",
    "your time is up: {win}": "あなたの時間切れです：{win}",
    "the time of {lost} is up: {win}": "{lost}の時間切れです：{win}",
    "a line stood after the reply": "相手の手のあともラインが残りました",
    "the other side has no complete turn": "相手は手番を最後まで行えません",
    "the king escaped": "王が逃げました",
    "the king is captured": "王が捕らえられました",
    "the other side has no legal move": "相手に合法な手がありません",
    "the position occurred three times": "同じ局面が3回現れました",
    "both agreed": "合意しました",
    "resignation": "投了",
    "time": "時間切れ",
    "stall": "応答なし",
    "crash": "異常終了",
    "malformed-move": "読めない手",
    "illegal-move": "反則手",
    # Of a server that has games.
    "the game was left, and is kept": "対局は中断され、保存されています",
    "there is no such game here": "そのような対局はここにありません",
    "the game is over; it is kept in {file}": "対局は終わっています。{file} に保存されています",
    "{count} games are being played here, which is the most": "同時にできる対局は{count}局までで、いまは満席です",
    "{count} games are kept here, which is the most; delete some of them": (
        "保存できる対局は{count}局までです。いくつか削除してください"
    ),
    "choose {field} from the list": "{field} は一覧から選んでください",
    # Why a move is illegal (`arena.games.move_rules`).
    "the game is over ({reason})": "対局は終わっています（{reason}）",
    "there is no square {square} on this board": "この盤に {square} というマスはありません",
    "the first turn of a side is one stone on an empty square, every later one takes a stone and adds two": (
        "各側の最初の手番では空いているマスに石を1つ置き、その後の手番では石を1つ取り除いて2つ追加します"
    ),
    "supply={supply}": "石が{supply}個に達しているため、手番を行えません",
    "a turn takes an exposed stone of the mover's, and {start} has nothing": (
        "手番では、上に石のない自分の石を取り除きます。{start} には石がありません"
    ),
    "a turn takes an exposed stone of the mover's, and {start} has a covered or foreign stone ({letter})": (
        "手番では、上に石のない自分の石を取り除きます。{start} の一番上は自分の石ではありません（{letter}）"
    ),
    "the two targets differ, and here {target} stands twice": (
        "石を追加する2つのマスは別のマスです。{target} が2回書かれています"
    ),
    "{target} is no square": "{target} というマスはありません",
    "a target must not hold a stone of the mover's, covered ones included: {target}": (
        "石を追加するマスに、自分の石があってはいけません（下にある石も同じ）：{target}"
    ),
    "{target} is no knight's move from {start}": "{target} は、{start} からナイトの動きで届きません",
    "a target may hold an enemy stone: the added stone goes on top of it": (
        "石を追加するマスに相手の石があれば、その上に重ねます"
    ),
    "an exposed stone goes to two different targets, a knight's move away": (
        "取り除いた石の代わりに、ナイトの動きで届く別々の2マスに石を追加します"
    ),
    "a move is two squares of the board": "手は、盤の2つのマスで表します",
    "{start} has no piece of the side to move": "{start} に手番の側の駒はありません",
    "pieces move along a rank or file": "駒は列または行に沿って動きます",
    "pieces move over empty squares only": "駒は空いているマスの上だけを動きます",
    "{name}={steps}, and this goes {count} squares": (
        "この駒が動けるのは{steps}マスまでで、この手は{count}マス動きます（{name}）"
    ),
    "{of}_stop={stop}": "この駒はそのマスに止まれません（{of}_stop={stop}）",
    "any piece may pass over the empty centre, also one that may not stop there": (
        "空いている中央のマスは、そこに止まれない駒も通り抜けられます"
    ),
    "the way is empty, and {name}={steps}": "途中のマスは空いています（{name}={steps}）",
}
