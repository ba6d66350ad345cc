"""The rules in English. Says each fact once, in the order of `japanese`; knows no rule that `facts` does not state."""

from collections.abc import Iterator

from arena.rulebook.facts import CallanishFacts, Need, TaflFacts

CALLANISH_SIDES = ("White", "Black")
TAFL_SIDES = ("attackers", "defenders")
ANY_BOARD = "as drawn"

_TAFL_TITLES = {
    "scottish": "The Scottish game",
    "scottish-armed": "The Scottish game with an armed king",
    "scottish-king1": "The Scottish game, king of one step",
    "scottish-king2": "The Scottish game, king of two steps",
    "scottish-king3": "The Scottish game, king of three steps",
    "brandub": "Brandub",
    "brandub-nielsen": "Brandub after Nielsen",
    "ard-ri": "Ard Rí",
    "ard-ri-two": "Ard Rí, king taken by two",
    "tawlbwrdd": "Tawlbwrdd",
    "sea-battle-9": "Sea battle tafl",
}

_HOLE = ", and a hole between them does not split a line"

Told = Iterator[tuple[str, list[str]]]


def callanish_title(facts: CallanishFacts) -> str:
    return f"Callanish ({facts.name})"


def callanish_summary(facts: CallanishFacts) -> str:
    if facts.any_board:
        return "Callanish on a board that you draw; without one, callanish-9"
    needs = " or ".join(str(need.squares) for need in facts.needs)
    holes = f", {len(facts.holes)} squares missing" if facts.holes else ""
    return f"{needs} squares of a line win{holes}"


def callanish(facts: CallanishFacts) -> Told:
    if facts.any_board:
        board = "Draw the board yourself: any rectangle of up to 25x25 squares, with holes where you like. Without a "
        board += "drawing it is the 9x9 board of callanish-9."
    else:
        board = f"The board has {facts.width} files and {facts.height} ranks."
    start = [board]
    if facts.holes:
        start.append(f"Grey stones lie on {_list(facts.holes)}: these {len(facts.holes)} squares are not in play.")
    start += [
        "White (p1) moves first, Black (p2) second.",
        "The board is empty at the start. White places one stone on a vacant square, then Black places one on another "
        "vacant square.",
    ]
    yield "Start", start
    turn = [
        "From then on, a turn has three steps. First remove one of your exposed stones, that is, one with no enemy "
        "stone on top of it. Then add a stone on each of two different squares that are a knight's move away from the "
        "square it stood on.",
        "Both squares must be free of stones of your own; each may be vacant or hold an enemy stone.",
        "The whole turn must be possible: a stone with fewer than two such squares cannot be removed.",
    ]
    if facts.supply is not None:
        turn.append(
            f"Stones are limited: a player who has {facts.supply} of them on the board, to move, has no complete turn."
        )
    yield "A turn", turn
    yield (
        "Stacks",
        [
            "A stone added on an enemy stone makes a stack, and you control its square. A stack is two stones high at "
            "most, and never holds two stones of the same player.",
            "When the upper stone is removed, the lower one is exposed again and its owner controls the square.",
        ],
    )
    end = ["A line is a whole file or a whole rank.", _need(facts)]
    end += [
        f"The squares need not be adjacent{_HOLE if facts.holes or facts.any_board else ''}.",
        "After your turn, your opponent wins if they control that many squares of one line.",
        "So a line of your own wins only if it still stands after your opponent's reply. Until then it is a check.",
        "A turn of yours that uncovers an enemy line loses at once. A line of your own is not looked at when your own "
        "turn ends.",
        "A player who has no complete turn loses. Lines are looked at first.",
        "There are no draws, and draw offers are void.",
    ]
    if facts.any_board:
        end.append("In a position that you draw, a side to move that already holds a line has won.")
    if facts.small:
        end.append("The published rules advise boards with at least 7 files and 7 ranks; this one is smaller.")
    yield "The end", end
    yield (
        "Writing moves",
        [
            "A square is a file letter and a rank number; a1 is bottom left.",
            "A first placement is its square, such as e5. A turn is the square left and the two squares added to, in "
            "the order of files, then ranks: b2a4d1.",
        ],
    )


def _need(facts: CallanishFacts) -> str:
    half = "half of its squares, rounded up"
    if facts.holes or facts.any_board:
        half += ", holes not counted"
    if facts.any_board:
        return f"The number of squares needed on a line is {half}."
    *others, most = facts.needs
    if not others:
        return f"On every line {most.squares} squares are needed: {half}."
    parts = [f"{need.squares} on {_lines(need)}" for need in others]
    return f"The number of squares needed on a line is {half}: {', '.join(parts)}, and {most.squares} elsewhere."


def _lines(need: Need) -> str:
    parts = []
    if need.files:
        parts.append(f"file{'s' * (len(need.files) > 1)} {_list(need.files)}")
    if need.ranks:
        parts.append(f"rank{'s' * (len(need.ranks) > 1)} {_list(tuple(map(str, need.ranks)))}")
    return " and ".join(parts)


def tafl_title(facts: TaflFacts) -> str:
    changed = f", changed: {facts.changed.replace(' ', ', ')}" if facts.changed else ""
    return f"{_TAFL_TITLES[facts.base]} ({facts.base}{changed})"


def tafl_summary(facts: TaflFacts) -> str:
    knobs = facts.knobs
    escape = "an edge" if knobs.escape == "edge" else "a corner"
    taken = {"two": "2", "four": "4", "four-three-two": "4, 3 or 2"}[knobs.king_captured_by]
    armed = "armed" if knobs.king_armed == "yes" else "unarmed"
    steps = [
        f"{who} {_far(limit)} a move"
        for who, limit in (("king", knobs.king_steps), ("men", knobs.men_steps))
        if limit != "any"
    ]
    return "; ".join([f"{armed} king to {escape}, taken by {taken}", *steps])


def tafl(facts: TaflFacts) -> Told:
    knobs = facts.knobs
    yield (
        "Start",
        [
            f"The board has {facts.size} files and {facts.size} ranks; its centre is {facts.centre}, its corners are "
            f"{_list(facts.corners)}.",
            f"p1 has {facts.attackers} attackers and moves first. p2 has a king and {facts.defenders} defenders. "
            "Attackers and defenders are called men.",
        ],
    )
    yield "Moves", [_steps(facts), "No piece jumps over another or lands on one.", *_stops(facts)]
    yield "Capturing men", list(_captures(facts))
    yield "Capturing the king", list(_king(facts))
    goal = (
        "any square on the edge, corners included"
        if knobs.escape == "edge"
        else f"a corner: {_list(facts.corners, 'or')}"
    )
    if knobs.no_move == "loses":
        stuck = "A side that is to move and has no legal move loses; so do attackers without pieces."
    else:
        stuck = "If the side to move has no legal move, the game is a draw; so it is when no attackers are left."
    third = "the third time, with the same side to move and the position at the start of the game included"
    if knobs.repetition == "draw":
        repeated = f"When a position occurs for {third}, the game is a draw."
    else:
        repeated = f"Whoever brings about a position for {third}, loses."
    yield (
        "The end",
        [
            f"The king's side wins as soon as the king reaches {goal}.",
            "The attackers win when they capture the king.",
            stuck,
            repeated,
            "The players may agree on a draw.",
        ],
    )
    yield (
        "Writing moves",
        [
            "A square is a file letter and a rank number; a1 is bottom left.",
            "A move is the square left and the square reached, such as d1d3.",
        ],
    )


def _steps(facts: TaflFacts) -> str:
    men, king = facts.knobs.men_steps, facts.knobs.king_steps
    if men == king:
        return f"All pieces move {_far(men)} along a file or rank, like a rook in chess."
    return f"All pieces move along a file or rank, like a rook in chess: men {_far(men)}, the king {_far(king)}."


def _far(steps: str) -> str:
    return {"any": "any number of squares", "1": "one square"}.get(steps, f"up to {steps} squares")


def _stops(facts: TaflFacts) -> Iterator[str]:
    knobs, centre = facts.knobs, facts.centre
    if knobs.centre_stop == "any":
        yield f"Any piece may stop on the centre, {centre}."
    else:
        if knobs.centre_stop == "king":
            stop = f"Only the king may stop on the centre, {centre}."
        else:
            stop = f"No piece may stop on the centre, {centre}: a king who has left it cannot return."
        crossing = {(True, True): "Any piece", (True, False): "Men", (False, True): "The king"}
        who = crossing.get(facts.may_cross_centre)
        yield f"{stop} {who} may pass over it while it is empty." if who else stop
    yield "Only the king may stop on a corner." if knobs.corner_stop == "king" else "Any piece may stop on a corner."


def _captures(facts: TaflFacts) -> Iterator[str]:
    knobs = facts.knobs
    yield (
        "A man is captured, and taken off the board, when an enemy moves next to him so that he stands between two "
        "enemies, on opposite sides of him on a file or rank."
    )
    yield "Only a move captures: moving in between two enemies is safe. One move may capture several pieces."
    if knobs.king_armed == "yes":
        yield "The king is armed: he captures with the defenders, as the piece that moves and as the one opposite."
    else:
        yield (
            "The king is unarmed: he takes no part in captures, neither as the piece that moves nor as the one "
            "opposite."
        )
    yield _hostile(facts)


def _hostile(facts: TaflFacts) -> str:
    by_two = ", or the king by two" if facts.king_taken_by_two else ""
    effect = f"in for the enemy opposite when a man is captured{by_two}."
    match facts.knobs.centre_hostile, facts.knobs.corner_hostile:
        case "yes", "yes":
            return (
                "The centre, while it is empty, and the corners, whoever stands on them, are hostile: each stands "
                + effect
            )
        case "yes", _:
            return f"The centre is hostile while it is empty: it stands {effect} The corners are hostile to nobody."
        case _, "yes":
            return (
                f"The corners are hostile, whoever stands on them: each stands {effect} The empty centre is hostile to "
                "nobody."
            )
    return "The empty centre and the corners are hostile to nobody."


def _king(facts: TaflFacts) -> Iterator[str]:
    knobs = facts.knobs
    if knobs.king_captured_by == "two":
        yield "The king is captured like a man: by two attackers on opposite sides of him, wherever he stands."
        return
    if knobs.king_captured_by == "four":
        around = "attackers" if not facts.centre_counts_for_king else "attackers or the empty centre"
        yield (
            f"The king is captured only when all four squares next to him are held by {around}, and an attacker has "
            "just moved onto one of them."
        )
        if knobs.escape == "corner":
            yield "A king on the edge has no four neighbours and cannot be captured there."
        return
    yield "On the centre the king is captured when attackers stand on all four sides of him."
    yield (
        "On a square beside the centre he is captured when attackers stand on the three other sides and the centre is "
        "empty or held by an attacker."
    )
    yield "In both cases an attacker must just have moved next to him."
    yield "Anywhere else he is captured like a man: by two attackers on opposite sides of him."


def _list(names: tuple[str, ...], word: str = "and") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
