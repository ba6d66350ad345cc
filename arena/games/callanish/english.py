"""The rules of Callanish in English: texts that `callanish.page` fills with facts. `japanese` has the same ones."""

TEXTS = {
    "white": "White",
    "black": "Black",
    "comma": ", ",
    "and": " and ",
    "or": " or ",
    "any board": "as drawn",
    "own title": "{title} ({name}): {game}",
    # The sections of a page.
    "heading start": "Start",
    "heading turn": "A turn",
    "heading stacks": "Stacks",
    "heading end": "The end",
    "heading writing": "Writing moves",
    "heading origin": "Who plays it",
    "source": "Source of the rules: {source}.",
    "played callanish": "José Manuel Astilleros García-Monge invented the game; nestorgames published it in 2014.",
    "callanish title": "Callanish ({facts.name})",
    "callanish summary": "{needs} squares of a line win{holes}",
    "callanish summary, any board": "Callanish on a board that you draw; without one, callanish-9",
    "callanish summary, or": " or ",
    "callanish summary, holes": ", {count} squares missing",
    "callanish board": "The board has {facts.width} files and {facts.height} ranks.",
    "callanish board, any": "Draw the board yourself: any rectangle of up to 25x25 squares, with holes where you like. "
    "Without a drawing it is the 9x9 board of callanish-9.",
    "holes": "Grey stones lie on {holes}: these {count} squares are not in play.",
    "callanish sides p1": "White (p1) moves first, Black (p2) second.",
    "callanish sides p2": "White (p1) moves second, Black (p2) first.",
    "first stones": "The board is empty at the start. {one} places one stone on a vacant square, then {other} places "
    "one on another vacant square.",
    "stones": "At the start the board has {white} white and {black} black stone{s}, as drawn.",
    "stones of one side": "{stones} The first turn of {side} is to place one stone on a vacant square.",
    "supply": "Stones are limited: a player who has {facts.supply} of them on the board, to move, has no complete "
    "turn.",
    "line": "A line is a whole file or a whole rank.",
    "need": "The number of squares needed on a line is {half}: {parts}, and {most} elsewhere.",
    "need, part": "{squares} on {lines}",
    "need, files": "file{s} {names}",
    "need, ranks": "rank{s} {names}",
    "need, and": " and ",
    "need, all alike": "On every line {most} squares are needed: {half}.",
    "need, any board": "The number of squares needed on a line is {half}.",
    "half": "half of its squares, rounded up",
    "half, holes": "half of its squares, rounded up, holes not counted",
    "adjacent": "The squares need not be adjacent.",
    "adjacent, holes": "The squares need not be adjacent, and a hole between them does not split a line.",
    "drawn line": "In a position that you draw, a side to move that already holds a line has won.",
    "small": "The published rules recommend boards with at least 7 files and 7 ranks; this one is smaller.",
    # The rules in five lines, which are told in English only.
    "short white": "White (p1)",
    "short black": "Black (p2)",
    "short half": "half",
    "short need": "{squares}",
}

LISTS = {
    "turn": (
        "From then on, a turn has three steps. First remove one of your exposed stones, that is, one with no enemy "
        "stone on top of it. Then add a stone on each of two different squares that are a knight's move away from the "
        "square it stood on.",
        "Both squares must be free of stones of your own; each may be vacant or hold an enemy stone.",
        "The whole turn must be possible: a stone with fewer than two such squares cannot be removed.",
    ),
    "stacks": (
        "A stone added on an enemy stone makes a stack, and you control its square. A stack is two stones high at "
        "most, and never holds two stones of the same player.",
        "When the upper stone is removed, the lower one is exposed again and its owner controls the square.",
    ),
    "callanish end": (
        "After your turn, your opponent wins if they control that many squares of one line.",
        "So a line of your own wins only if it still stands after your opponent's reply. Until then it is a check.",
        "A turn of yours that uncovers an enemy line loses at once. A line of your own is not looked at when your own "
        "turn ends.",
        "A player who has no complete turn loses. Lines are looked at first.",
        "There are no draws, and draw offers are void.",
    ),
    "writing callanish": (
        "A square is a file letter and a rank number; a1 is bottom left.",
        "A first placement is its square, such as e5. A turn is the square left and the two squares added to, in the "
        "order of files, then ranks: b2a4d1.",
    ),
    "short callanish": (
        "{first} begins. A side without stones puts one on a free square: e5.",
        "Then take one stone of yours off and put two a knight's move from it: b2a4d1.",
        "They may land on enemy stones, which they cover, but not on your own.",
        "You hold a file or rank if {need} of its squares show your stones, in any places.",
        "A line that you still hold after the reply wins. A side without a turn loses.",
    ),
}
