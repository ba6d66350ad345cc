"""The rules in English. It states each fact of `facts` once, in the same order as `japanese`, and nothing else."""

from typing import assert_never

from arena.games.rules import Repetition, Side
from arena.games.tafl_variants import CornerStop, Escape, KingCapturedBy, NoMove, Steps
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

Sections = dict[str, list[str]]


def own_title(title: str, name: str, game: str) -> str:
    """The title of a user's own variant of `game`."""
    return f"{title} ({name}): {game}"


def callanish_title(facts: CallanishFacts) -> str:
    return f"Callanish ({facts.name})"


def callanish_summary(facts: CallanishFacts) -> str:
    if facts.any_board:
        return "Callanish on a board that you draw; without one, callanish-9"
    needs = " or ".join(str(need.squares) for need in facts.needs)
    holes = f", {len(facts.holes)} squares missing" if facts.holes else ""
    return f"{needs} squares of a line win{holes}"


def callanish(facts: CallanishFacts) -> Sections:
    if facts.any_board:
        board = "Draw the board yourself: any rectangle of up to 25x25 squares, with holes where you like. Without a "
        board += "drawing it is the 9x9 board of callanish-9."
    else:
        board = f"The board has {facts.width} files and {facts.height} ranks."
    start = [board]
    if facts.holes:
        start.append(f"Grey stones lie on {_list(facts.holes)}: these {len(facts.holes)} squares are not in play.")
    start += [f"White (p1) moves {_turns(facts.first)}.", _first_stones(facts)]
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
    end = [
        "A line is a whole file or a whole rank.",
        _need(facts),
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
        end.append("The published rules recommend boards with at least 7 files and 7 ranks; this one is smaller.")
    return {
        "Start": start,
        "A turn": turn,
        "Stacks": [
            "A stone added on an enemy stone makes a stack, and you control its square. A stack is two stones high at "
            "most, and never holds two stones of the same player.",
            "When the upper stone is removed, the lower one is exposed again and its owner controls the square.",
        ],
        "The end": end,
        "Writing moves": [
            "A square is a file letter and a rank number; a1 is bottom left.",
            "A first placement is its square, such as e5. A turn is the square left and the two squares added to, in "
            "the order of files, then ranks: b2a4d1.",
        ],
    }


def _turns(first: Side) -> str:
    return "first, Black (p2) second" if first == "p1" else "second, Black (p2) first"


def _first_stones(facts: CallanishFacts) -> str:
    white, black = facts.stones
    if not white and not black:
        one, other = ("White", "Black") if facts.first == "p1" else ("Black", "White")
        return (
            f"The board is empty at the start. {one} places one stone on a vacant square, then {other} places one on "
            "another vacant square."
        )
    drawn = f"At the start the board has {white} white and {black} black stone{'s' * (black != 1)}, as drawn."
    if white and black:
        return drawn
    return f"{drawn} The first turn of {'White' if black else 'Black'} is to place one stone on a vacant square."


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
    options = facts.options
    armed = "armed" if options.king_armed == "yes" else "unarmed"
    steps = [
        f"{who} {_far(limit)} a move"
        for who, limit in (("king", options.king_steps), ("men", options.men_steps))
        if limit != "any"
    ]
    return "; ".join(
        [f"{armed} king to {_where(options.escape)}, taken by {_attackers(options.king_captured_by)}", *steps]
    )


def _where(escape: Escape) -> str:
    match escape:
        case "edge":
            return "an edge"
        case "corner":
            return "a corner"
        case _:
            assert_never(escape)


def _attackers(rule: KingCapturedBy) -> str:
    match rule:
        case "two":
            return "2"
        case "four":
            return "4"
        case "four-three-two":
            return "4, 3 or 2"
        case _:
            assert_never(rule)


def tafl(facts: TaflFacts) -> Sections:
    return {
        "Start": [
            f"The board has {facts.size} files and {facts.size} ranks; its centre is {facts.centre}, its corners are "
            f"{_list(facts.corners)}.",
            f"p1 has {facts.attackers} attackers and moves {'first' if facts.first == 'p1' else 'second'}. "
            f"p2 has a king and {facts.defenders} defenders. Attackers and defenders are called men.",
        ],
        "Moves": [
            _steps(facts),
            "No piece jumps over another or lands on one.",
            _centre_stop(facts),
            _corner_stop(facts.options.corner_stop),
        ],
        "Capturing men": _captures(facts),
        "Capturing the king": _king(facts),
        "The end": [
            f"The king's side wins as soon as the king reaches {_goal(facts)}.",
            "The attackers win when they capture the king.",
            _stuck(facts.options.no_move),
            _repeated(facts.options.repetition),
            "The players may agree on a draw.",
        ],
        "Writing moves": [
            "A square is a file letter and a rank number; a1 is bottom left.",
            "A move is the square left and the square reached, such as d1d3.",
        ],
    }


def _goal(facts: TaflFacts) -> str:
    match facts.options.escape:
        case "edge":
            return "any square on the edge, corners included"
        case "corner":
            return f"a corner: {_list(facts.corners, 'or')}"
        case _:
            assert_never(facts.options.escape)


def _stuck(no_move: NoMove) -> str:
    match no_move:
        case "loses":
            return "A side that is to move and has no legal move loses; so do attackers without pieces."
        case "draw":
            return "If the side to move has no legal move, the game is a draw; so it is when no attackers are left."
        case _:
            assert_never(no_move)


def _repeated(repetition: Repetition) -> str:
    third = "the third time, with the same side to move and the position at the start of the game included"
    match repetition:
        case "draw":
            return f"When a position occurs for {third}, the game is a draw."
        case "loses":
            return f"A side that brings about a position for {third}, loses."
        case _:
            assert_never(repetition)


def _steps(facts: TaflFacts) -> str:
    men, king = facts.options.men_steps, facts.options.king_steps
    if men == king:
        return f"All pieces move {_far(men)} along a file or rank, like a rook in chess."
    return f"All pieces move along a file or rank, like a rook in chess: men {_far(men)}, the king {_far(king)}."


def _far(steps: Steps) -> str:
    return {"any": "any number of squares", "1": "one square"}.get(steps, f"up to {steps} squares")


def _centre_stop(facts: TaflFacts) -> str:
    centre = facts.centre
    match facts.options.centre_stop:
        case "any":
            return f"Any piece may stop on the centre, {centre}."
        case "king":
            stop = f"Only the king may stop on the centre, {centre}."
        case "nobody":
            stop = f"No piece may stop on the centre, {centre}: a king who has left it cannot return."
        case _:
            assert_never(facts.options.centre_stop)
    crossing = {(True, True): "Any piece", (True, False): "Men", (False, True): "The king"}
    crosses = crossing.get(facts.may_cross_centre)
    return f"{stop} {crosses} may pass over it while it is empty." if crosses else stop


def _corner_stop(who: CornerStop) -> str:
    match who:
        case "king":
            return "Only the king may stop on a corner."
        case "any":
            return "Any piece may stop on a corner."
        case _:
            assert_never(who)


def _captures(facts: TaflFacts) -> list[str]:
    if facts.options.king_armed == "yes":
        king = "The king is armed: he captures with the defenders, as the piece that moves and as the one opposite."
    else:
        king = "The king is unarmed: he takes no part in captures, neither as the piece that moves nor as the one "
        king += "opposite."
    return [
        "A man is captured, and taken off the board, when an enemy moves next to him so that he stands between two "
        "enemies, on opposite sides of him on a file or rank.",
        "Only a move captures: moving in between two enemies is safe. One move may capture several pieces.",
        king,
        _hostile(facts),
    ]


def _hostile(facts: TaflFacts) -> str:
    by_two = ", or the king by two" if facts.king_taken_by_two else ""
    effect = f"in for the enemy opposite when a man is captured{by_two}."
    match facts.options.centre_hostile, facts.options.corner_hostile:
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


def _king(facts: TaflFacts) -> list[str]:
    options = facts.options
    match options.king_captured_by:
        case "two":
            return ["The king is captured like a man: by two attackers on opposite sides of him, wherever he stands."]
        case "four":
            around = "attackers or the empty centre" if options.centre_hostile == "yes" else "attackers"
            sentences = [
                f"The king is captured only when all four squares next to him are held by {around}, and an attacker "
                "has just moved onto one of them."
            ]
            if options.escape == "corner":
                sentences.append("A king on the edge has no four neighbours and cannot be captured there.")
            return sentences
        case "four-three-two":
            return [
                "On the centre the king is captured when attackers stand on all four sides of him.",
                "On a square beside the centre he is captured when attackers stand on the three other sides and the "
                "centre is empty or held by an attacker.",
                "In both cases an attacker must just have moved next to him.",
                "Anywhere else he is captured like a man: by two attackers on opposite sides of him.",
            ]
        case _:
            assert_never(options.king_captured_by)


def _list(names: tuple[str, ...], word: str = "and") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
