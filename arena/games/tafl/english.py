"""The rules of tafl in English: texts that `tafl.page` fills with facts. `japanese` has the same ones."""

TEXTS = {
    "attackers": "attackers",
    "defenders": "defenders",
    "king": "king",
    "men": "men",
    "first": "first",
    "second": "second",
    "comma": ", ",
    "and": " and ",
    "or": " or ",
    "own title": "{title} ({name}): {game}",
    # The sections of a page.
    "heading start": "Start",
    "heading moves": "Moves",
    "heading capturing men": "Capturing men",
    "heading capturing the king": "Capturing the king",
    "heading end": "The end",
    "heading writing": "Writing moves",
    "heading origin": "Who plays it",
    "source": "Source of the rules: {source}.",
    "origin changed": "The rules here differ from that: {changed}.",
    "tafl title": "{title} ({facts.base}{changed})",
    "tafl title scottish": "The Scottish game",
    "tafl title scottish-armed": "The Scottish game with an armed king",
    "tafl title scottish-king1": "The Scottish game, king of one step",
    "tafl title scottish-king2": "The Scottish game, king of two steps",
    "tafl title scottish-king3": "The Scottish game, king of three steps",
    "tafl title brandub": "Brandub",
    "tafl title brandub-nielsen": "Brandub after Nielsen",
    "tafl title ard-ri": "Ard Rí",
    "tafl title ard-ri-two": "Ard Rí, king taken by two",
    "tafl title tawlbwrdd": "Tawlbwrdd",
    "tafl title tawlbwrdd-bell": "Tawlbwrdd of the World Tafl Federation, Bell's board",
    "tafl title tawlbwrdd-lewis": "Tawlbwrdd of the World Tafl Federation, Lewis's board",
    "tafl title sea-battle-9": "Sea battle tafl",
    "tafl title sea-battle-9-wtf": "Sea battle tafl of the World Tafl Federation",
    "tafl title sea-battle-11": "Sea battle tafl of the World Tafl Federation, 11x11",
    "tafl title tablut-saami": "Saami Tablut",
    "tafl title tablut-ashton": "Ashton's Tablut",
    "tafl title fetlar": "Fetlar Hnefatafl",
    "tafl title computer-fetlar": "Computer Fetlar",
    "tafl title copenhagen": "Copenhagen Hnefatafl",
    "played scottish": "Damian Walker reconstructed the game in 2013 for boards found in Scotland.",
    "played brandub": "Damian Walker reconstructed the game in 2005 for boards found in Ireland.",
    "played brandub-nielsen": "A form of brandub with the king of Aage Nielsen's older games.",
    "played ard-ri": "A modern game, common on the web and in shops.",
    "played tawlbwrdd": "R. C. Bell reconstructed the game that Robert ap Ifan described in Wales in 1587.",
    "played tawlbwrdd-bell": "Abstract Play has it, and players of the World Tafl Federation play it.",
    "played tawlbwrdd-lewis": "The World Tafl Federation played it in its championships, the defenders first.",
    "played sea-battle-9": "The World Tafl Federation's game without encirclement, and with a draw by repetition.",
    "played sea-battle-wtf": "The World Tafl Federation played it in its championship of 2024.",
    "played tablut-saami": "The World Tafl Federation plays it for its history title; some of its lists have the "
    "defenders move first.",
    "played tablut-ashton": "The students' engines of the Tablut Challenge at the University of Bologna play it.",
    "played fetlar": "The Fetlar championship and OpenTafl play it.",
    "played computer-fetlar": "The engines of the Computer Tafl Open, OpenTafl's contest, play it.",
    "played copenhagen": "The World Tafl Federation plays it for its main title; so do many servers, hnefatafl.org and "
    "Abstract Play among them.",
    "changed": ", changed: {changed}",
    "tafl summary": "{armed} king to {escape}, taken by {attackers}",
    "tafl summary, separator": "; ",
    "tafl summary, armed no": "unarmed",
    "tafl summary, armed yes": "armed",
    "tafl summary, escape edge": "an edge",
    "tafl summary, escape corner": "a corner",
    "tafl summary, taken by two": "2",
    "tafl summary, taken by four": "4",
    "tafl summary, taken by four-three-two": "4, 3 or 2",
    "tafl summary, taken by four-two": "4 or 2",
    "tafl summary, taken by all-sides": "all sides",
    "tafl summary, with": "with {names}",
    "camps": "camps",
    "shieldwall": "shieldwall",
    "encirclement": "encirclement",
    "fort": "fort",
    "tafl summary, steps 1": "{who} one square a move",
    "tafl summary, steps": "{who} up to {steps} squares a move",
    "tafl board": "The board has {facts.size} files and {facts.size} ranks; its centre is {facts.centre}, its corners "
    "are {corners}.",
    "tafl sides": "p1 has {facts.attackers} attackers and moves {first}. p2 has a king and {facts.defenders} "
    "defenders. Attackers and defenders are called men.",
    "steps": "All pieces move along a file or rank, like a rook in chess: men {men}, the king {king}.",
    "steps, all alike": "All pieces move {men} along a file or rank, like a rook in chess.",
    "far any": "any number of squares",
    "far 1": "one square",
    "far": "up to {steps} squares",
    "no jump": "No piece jumps over another or lands on one.",
    "centre any": "Any piece may stop on the centre, {facts.centre}.",
    "centre king": "Only the king may stop on the centre, {facts.centre}.",
    "centre nobody": "No piece may stop on the centre, {facts.centre}: a king who has left it cannot return.",
    "crossing all": "{stop} Any piece may pass over it while it is empty.",
    "crossing men": "{stop} Men may pass over it while it is empty.",
    "crossing king": "{stop} The king may pass over it while it is empty.",
    "crossing only king": "{stop} Only the king may pass over it, while it is empty.",
    "crossing nobody": "{stop} No piece may pass over it, not even while it is empty.",
    "camp separator": "; ",
    "corner king": "Only the king may stop on a corner.",
    "corner any": "Any piece may stop on a corner.",
    "king armed no": "The king is unarmed: he takes no part in captures, neither as the piece that moves nor as the "
    "one opposite.",
    "king armed yes": "The king is armed: he captures with the defenders, as the piece that moves and as the one "
    "opposite.",
    "hostile": "in for the enemy opposite when a man is captured.",
    "hostile, king by two": "in for the enemy opposite when a man is captured, or the king by two.",
    "hostile centre no, corners no": "The empty centre and the corners are hostile to nobody.",
    "hostile centre yes, corners no": "The centre is hostile while it is empty: it stands {effect} The corners are "
    "hostile to nobody.",
    "hostile centre no, corners yes": "The corners are hostile, whoever stands on them: each stands {effect} The empty "
    "centre is hostile to nobody.",
    "hostile centre yes, corners yes": "The centre, while it is empty, and the corners, whoever stands on them, are "
    "hostile: each stands {effect}",
    "hostile centre always, corners no": "The centre is hostile, whoever stands on it: it stands {effect} The corners "
    "are hostile to nobody.",
    "hostile centre always, corners yes": "The centre and the corners are hostile, whoever stands on them: each stands "
    "{effect}",
    "picture shieldwall": "A shieldwall, before and after {move}",
    "picture encirclement": "An encirclement, before and after {move}",
    "picture fort": "A fort, before and after {move}",
    "shieldwall end corner": "another of the mover's pieces, or an empty corner",
    "shieldwall end yes": "another of the mover's pieces",
    "held by": "attackers",
    "held by, or the centre": "attackers or the empty centre",
    "held by, or the centre always": "attackers or a centre without a defender",
    "camps hold the king": "A camp square next to a king outside the camps counts as an attacker where he needs more "
    "than two, unless a defender stands on it.",
    "corners hold the king": "A corner next to him counts as an attacker, unless a defender stands on it.",
    "king on an edge": "A king on the edge has no four neighbours and cannot be captured there.",
    "king wins": "The king's side wins as soon as the king reaches {goal}.",
    "goal edge": "any square on the edge, corners included",
    "goal corner": "a corner: {corners}",
    "attackers win": "The attackers win when they capture the king.",
    "stuck loses": "A side that is to move and has no legal move loses; so do attackers without pieces.",
    "stuck draw": "If the side to move has no legal move, the game is a draw; so it is when no attackers are left.",
    "occurrence 3": "third",
    "occurrence 2": "second",
    "repeated draw": "When a position occurs for the {time} time, with the same side to move and the position at the "
    "start of the game included, the game is a draw.",
    "repeated loses": "A side that brings about a position for the {time} time, with the same side to move and the "
    "position at the start of the game included, loses.",
    "repeated forbidden-p2": "The defenders may not make a move after which the board is as it was before, whoever "
    "was to move then. They lose if they have no other move.",
    "repeated p2-loses": "When a position occurs for the {time} time, with the same side to move and the position at "
    "the start of the game included, the king's side loses, whoever brought it about.",
    "agreement": "The players may agree on a draw.",
    # The rules in five lines, which are told in English only.
    "short none": "no",
    "short armed no": "does not help",
    "short armed yes": "helps",
    "short steps": "men {men}, the king {king}",
    "short far any": "any distance",
    "short far 1": "one square",
    "short far": "up to {steps} squares",
    "short taken by two": "two attackers on opposite sides",
    "short taken by four": "attackers on all four sides",
    "short taken by four-three-two": "4 attackers on the centre, 3 beside it, 2 elsewhere",
    "short taken by four-two": "4 attackers on the centre, 2 elsewhere",
    "short taken by all-sides": "attackers on all sides of him",
    "short camps no": "",
    "short camps yes": " Nobody enters or crosses a camp.",
    "short row no": "by moving there",
    "short row yes": "or a row by a shieldwall",
    "short escape edge": "the edge",
    "short escape corner": "a corner",
    "short end": "when he reaches {goal}. The attackers win when they capture him.",
    "short end, fort": "at {goal} or in a fort. The attackers win when they capture him.",
    "short end, encirclement": "at {goal}. The attackers win by capturing or encircling him.",
    "short end, fort, encirclement": "at {goal} or in a fort, the attackers by capturing or encircling him.",
}

LISTS = {
    "capturing": (
        "A man is captured, and taken off the board, when an enemy moves next to him so that he stands between two "
        "enemies, on opposite sides of him on a file or rank.",
        "Only a move captures: moving in between two enemies is safe. One move may capture several pieces.",
    ),
    "king two": ("The king is captured like a man: by two attackers on opposite sides of him, wherever he stands.",),
    "king four": (
        "The king is captured only when all four squares next to him are held by {holders}, and an attacker has just "
        "moved onto one of them.",
    ),
    "king four-two": (
        "On the centre the king is captured when attackers hold all four squares next to him, and one of them has just "
        "moved there.",
        "Anywhere else he is captured like a man: by two attackers on opposite sides of him.",
    ),
    "king all-sides": (
        "The king is captured when all squares next to him are held by {holders}, and an attacker has just moved onto "
        "one of them. On an edge three squares are enough.",
    ),
    "camps": (
        "There are four camps: {camps}.",
        "Only a piece that stands in a camp may stop on squares of that camp or pass over them. Once out, it does not "
        "come back.",
    ),
    "capturing at camps": (
        "The squares of the camps are hostile, whoever stands on them, to every piece outside the camps: each stands "
        "{effect}",
        "A piece in a camp is never captured against a square of the same camp.",
    ),
    "shieldwall": (
        "A shieldwall captures a row on the edge. A piece moves to an edge square; next to it along the edge stand two "
        "or more enemies without a gap, each with a piece of the mover's in front of it; and behind the last of them "
        "stands {end}. All of them are captured but a king.",
        "A move that only fills a square in front of the row captures nothing.",
    ),
    "fort wins": (
        "The king's side also wins by a fort: after its move the king stands on the edge with an empty square beside "
        "him, and neither an attacker nor a corner can be reached from him through empty squares.",
        "A fort holds only if no man of its wall has on both sides of him, along a file or a rank, an attacker, an "
        "empty square outside or a hostile square.",
    ),
    "encirclement wins": (
        "The attackers also win by encirclement: after their move neither the king nor any defender can be reached "
        "from the edge by steps along files and ranks over squares without attackers.",
    ),
    "king four-three-two": (
        "On the centre the king is captured when attackers stand on all four sides of him.",
        "On a square beside the centre he is captured when attackers stand on the three other sides and the centre is "
        "empty or held by an attacker.",
        "In both cases an attacker must just have moved next to him.",
        "Anywhere else he is captured like a man: by two attackers on opposite sides of him.",
    ),
    "writing tafl": (
        "A square is a file letter and a rank number; a1 is bottom left.",
        "A move is the square left and the square reached, such as d1d3.",
    ),
    "short tafl": (
        "{attackers} attacker{s} (p1) and a king with {defenders} defender{s_of_defenders} (p2). The {first} begin.",
        "Pieces move like rooks, {steps}: d1d3.{camps}",
        "Capture a man between two of yours, {row}. The king {helps}.",
        "The king is captured by {captors}.",
        "He wins {end}",
    ),
}
