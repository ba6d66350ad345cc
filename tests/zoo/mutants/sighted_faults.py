"""The faults that sighted.py commits on request: the clauses that they break, and the checks that must notice them.

Their author knows the checks. Half of them lie in rules; the others are what engines of other games do wrong.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class SightedFault:
    """One fault. `variants` are those in which it shows, the first one enough for the check that is named."""

    name: str
    clause: str
    wrong: str
    rule: bool
    force: Literal["MUST", "SHOULD"]
    check: str
    variants: tuple[str, ...]


def callanish(name: str, clause: str, wrong: str, variant: str = "callanish-9", check: str = "F10") -> SightedFault:
    return SightedFault(name, clause, wrong, True, "MUST", check, (variant,))


def tafl(name: str, clause: str, wrong: str, check: str = "F10") -> SightedFault:
    return SightedFault(name, clause, wrong, True, "MUST", check, ("scottish",))


def must(check: str, name: str, clause: str, wrong: str, variant: str = "scottish") -> SightedFault:
    return SightedFault(name, clause, wrong, False, "MUST", check, (variant,))


def should(check: str, name: str, clause: str, wrong: str, variant: str = "scottish") -> SightedFault:
    return SightedFault(name, clause, wrong, False, "SHOULD", check, (variant,))


RULES = (
    callanish("supply-of-one-digit", "A.4", "Only the first digit of the knob supply is read."),
    callanish("supply-is-twenty", "A.4", "Each side has twenty stones where no knob says how many."),
    callanish("ranks-of-one-digit", "5.3", "Only the first digit of a rank is read in a move.", "callanish-11"),
    callanish("jumps-short-of-last-file", "A.4", "No turn has a target on the last file, on boards of 9 or more."),
    callanish("jumps-past-the-foot", "A.4", "A stone on the lowest rank also goes to the top of the file before."),
    callanish("need-rounded-down", "A.5", "The need of a line is half of its squares, rounded down."),
    callanish("need-one-less-with-holes", "A.5", "A line with holes needs one stone less.", "callanish"),
    callanish("short-lines-do-not-count", "A.5", "Lines of fewer than four squares cannot be won.", "callanish"),
    callanish("covers-no-lone-stone", "A.4", "A target may not hold a lone enemy stone, only one on top of another."),
    callanish("stone-in-the-way", "A.4", "A stone beside the one that moves blocks its knight's move, as in xiangqi."),
    callanish("first-stone-not-on-centre", "A.3", "The first stone may not be placed on the centre."),
    callanish("second-stone-not-beside-first", "A.3", "The second stone may not be placed beside the first."),
    callanish("third-stone-covers-nothing", "A.4", "The second target of a turn loses the stone that it covers."),
    callanish("number-at-most-255", "5.6", "The turn number does not grow beyond 255."),
    callanish("fen-without-covered", "9.7", "`query fen` writes a stack as one stone."),
    callanish("two-lines-draw", "A.6", "A game in which both sides hold a line is drawn."),
    callanish("lines-of-p1-first", "A.6", "Where both sides hold a line, p1 has won."),
    callanish("no-turn-wins", "A.6", "A side without a complete turn has won."),
    callanish("out-of-supply-is-draw", "A.4", "A side that has used up its supply draws."),
    callanish("side-without-stones-loses", "5.7", "A side without a stone has lost if the turn number is above 1."),
    callanish("full-board-is-draw", "A.6", "A board without an empty square is a draw."),
    tafl("two-steps-are-any", "A.11", "men_steps=2 is read as any."),
    tafl("escape-always-edge", "A.11", "The knob escape is not read in scottish."),
    tafl("every-corner-is-hostile", "A.11", "Corners are hostile whatever the knob says."),
    tafl("every-centre-is-hostile", "A.11", "The empty centre is hostile whatever the knob says."),
    tafl("king-jumps-a-defender", "A.9", "The king may go over a defender."),
    tafl("short-steps-jump", "A.9", "A king with limited steps may go over one piece."),
    tafl("king-stays-beside-attackers", "A.9", "The king may not stop beside an attacker."),
    tafl("attackers-keep-off-edge-corners", "A.11", "Attackers may not stop on corners whatever the knob says."),
    tafl("centre-hostile-to-attackers-not", "A.11", "A hostile centre helps the defenders not."),
    tafl("own-king-is-hostile", "A.10", "An attacker captures a man against the man's own king."),
    tafl("armed-king-needs-a-man", "A.10", "An armed king captures with a defender, but not against a hostile square."),
    callanish("hostile-corner-spares-king", "A.12", "The king is not captured against a hostile corner.", "brandub"),
    tafl("hostile-centre-spares-king", "A.12", "The king is not captured against a hostile centre."),
    tafl("captures-one-only", "A.10", "A move captures one man only."),
    tafl("no-capture-on-the-edge", "A.10", "Men on the edge are not captured."),
    tafl("no-capture-beside-last-file", "A.10", "Men on the last file but one are not captured."),
    tafl("no-capture-downwards", "A.10", "A man below the piece that moved is not captured."),
    tafl("king-beside-saves-men", "A.10", "A defender beside his king is not captured."),
    tafl("first-captures-second", "A.10", "Of several men that a move captures the last one stays."),
    tafl("defenders-close-in-too", "A.12", "Under king_captured_by=four defenders count like attackers."),
    tafl("four-need-only-three", "A.12", "Under king_captured_by=four three attackers are enough."),
    tafl("armed-king-not-by-two", "A.12", "An armed king is captured by three, also under king_captured_by=two."),
    tafl("king-not-taken-on-edge", "A.12", "A king on the edge cannot be captured."),
    tafl("men-first-then-king", "A.12", "A move that captures a man does not capture the king."),
    tafl("bare-king-loses", "A.13", "A king without defenders has lost."),
    tafl("one-attacker-loses", "A.13", "One attacker alone has lost."),
    tafl("escape-wins-next-turn", "A.13", "An escape wins only after the attackers' next move."),
    tafl("king-move-is-no-move", "A.13", "A side whose king alone can move has no move."),
    tafl("no-move-draw-for-p2-only", "A.13", "no_move=draw is not minded where p1 has no move."),
    tafl("fen-side-of-mover", "9.7", "`query fen` names the side that has moved."),
    tafl("king-is-like-a-man-in-repetition", "A.13", "Positions that differ by king and defender are the same."),
    tafl("mirrored-is-repeated", "A.13", "A position and its mirror image are the same for repetition."),
    tafl("attackers-alone-repeat", "A.13", "Defenders and king do not belong to a position that is repeated."),
    tafl("second-time-is-enough", "A.13", "The second occurrence of a position ends the game."),
    tafl("fourth-time-is-needed", "A.13", "The third occurrence of a position does not end the game, the fourth does."),
    tafl("repetition-of-p2-only", "A.13", "Only positions with p2 to move are counted."),
    tafl("repetition-within-50", "A.13", "Occurrences more than fifty plies ago are not counted."),
    tafl("repetition-after-captures-only", "A.13", "Nothing is counted while all attackers are on the board."),
)

QUERIES = (
    must("F10", "result-is-remembered", "9.6", "`query result` is kept by board, so a repetition is not seen."),
    should("F11", "answers-without-response", "9.6", "The answer to `query p1turn` lacks the word response."),
    must("F6", "fen-of-the-start", "9.7", "Behind a hundred moves `query fen` says the start position."),
    must("F9", "islegal-empty-ends-engine", "9.7", "`query islegal` without a move ends the engine."),
    must("F4", "at-most-64-moves", "9.7", "`query legalmoves` lists 64 moves at most.", "callanish-9"),
    must("F4", "count-is-of-pieces", "9.7", "`query legalmoves` begins with the number of pieces that can move."),
    must("F7", "islegal-for-either-side", "9.7", "`query islegal` accepts moves of the side that is not to move."),
    must("F7", "islegal-by-form", "9.7", "`query islegal` looks at the form of a move only."),
    must("F10", "perft-past-the-end", "A.15", "`query perft` counts moves behind the end of the game."),
    must("F5", "perft-of-start", "9.7", "`query perft` counts from the start position."),
)

LINES = (
    must("B9", "line-of-8192", "2.4", "A line is cut after 8 192 bytes."),
    must("B10", "long-line-ends-engine", "2.4", "A line of more than 10 000 bytes ends the engine."),
    should("B12", "echoes-its-input", "2.6", "Each line of the input is printed."),
    must("B6", "two-blanks-are-a-word", "2.3", "A line with two blanks between words is not understood."),
    must("B6", "trailing-blank-kept", "2.3", "A line with a blank at its end is not understood."),
    must("B7", "unknown-line-is-answered", "2.3", "A line that it does not know is answered by readyok."),
    should("B11", "nul-behind-line", "2.6", "A NUL stands behind each line."),
    must("B1", "info-without-newline", "2.7", "The newline behind the first info is lost."),
    should("B11", "latin-author", "2.6", "The name of the author is Latin-1."),
    should("H9", "infos-are-flooded", "9.1", "The first info comes 400 times."),
    must("B15", "line-of-70000", "2.5", "An info string has 70 000 bytes."),
    should("K6", "child-stays", "14.5", "A child process lives on after `quit`."),
    must("G25", "polls-its-input", "2.9", "A thread polls the input all the time."),
)

OPTIONS = (
    must("C13", "seed-to-1000", "13.1", "The range of Seed ends at 1000."),
    must("C13", "seed-from-1", "13.1", "The range of Seed begins at 1."),
    should("C2", "spin-with-empty-default", "3.3", "The default of a spin is the empty string."),
    should("C2", "default-out-of-range", "3.3", "The default of Hash is above its greatest value."),
    should("C2", "check-is-on", "3.3", "The default of a check is `on`."),
    should("A7", "version-before-name", "3.4", "A line with name and version, but without `id`, begins the handshake."),
    must("D1", "ready-with-ugiok", "2.9", "A readyok follows ugiok unasked."),
    must("C5", "most-is-one-too-many", "4.2", "The greatest value of a spin ends the engine."),
    must("C5", "check-as-number", "4.2", "`true` and `false` end the engine, which needs 1 and 0."),
    must("C4", "option-by-last-word", "4.1", "An option is known by the last word of its name, so Clear Hash is Hash."),
    should("J2", "seed-and-time", "13.2", "The generator begins each game with the time of day."),
    must("F10", "rules-in-order-only", "4.5", "The knob no_move is passed over."),
    must("J1", "new-game-is-default-game", "4.6", "`uginewgame` goes back to the default variant."),
    must("J1", "ten-games-at-most", "6.6", "The eleventh game ends the engine."),
    should("J6", "leaks-each-game", "6.6", "Each game takes 3 MB more."),
    must("F4", "ninth-variant-is-first", "4.6", "sea-battle-9 is played as brandub.", "sea-battle-9"),
)

POSITIONS = (
    must("F10", "number-of-two-digits", "5.6", "Only the last two digits of a turn number are read."),
    must("F10", "number-of-three-digits", "5.6", "A turn number of four digits is refused."),
    must("E4", "side-lost-with-moves", "5.6", "A position string with moves behind it is read as p1's."),
    must("E6", "same-length-is-the-same", "6.2", "A list as long as the last one is taken for the same."),
    must("E8", "shorter-list-is-old", "6.2", "A list that is shorter than the last one is passed over."),
    should("E5", "empty-moves-end-engine", "6.3", "`moves` with nothing behind it ends the engine."),
    must("B9", "at-most-300-moves", "6.1", "More than 300 moves end the engine."),
    must("F6", "last-move-not-played", "6.1", "The last of more than sixty moves is not played."),
    must("E9", "bad-board-ends-engine", "6.7", "A board of one row ends the engine."),
    must("E9", "short-row-is-filled", "6.7", "A row that is too short ends the engine."),
    should("D6", "position-takes-40", "6.4", "Each position takes 40 ms."),
    should("E14", "illegal-move-passes-silently", "6.7", "Nothing is said about an illegal move."),
    must("D3", "ready-once-in-search", "6.5", "A second isready in one search is not answered."),
    must("D2", "ready-after-bestmove-only", "6.4", "isready behind a long game waits for the first search."),
)

SEARCH = (
    must("G27", "at-least-200-ms", "7.4", "A move takes 200 ms, whatever the clock says."),
    must("G27", "at-least-30-ms", "7.4", "A move takes 30 ms, whatever the clock says."),
    must("G28", "slow-after-ply-60", "7.4", "A move after ply 60 takes 800 ms."),
    must("G26", "all-before-last-of-period", "7.5", "The last but one move of a period takes all that is left."),
    must("G26", "period-is-one-move-short", "7.5", "The time of a period is divided by one move too few."),
    must("G11", "clock-of-the-other", "7.3", "The clock of the other side is used."),
    must("G9", "no-time-is-no-limit", "7.4", "A clock that is shorter than the overhead is no limit."),
    must("G9", "short-clock-ends-engine", "7.4", "A clock of less than 20 ms ends the engine."),
    must("G9", "whole-clock-with-increment", "7.4", "A move takes the whole clock and half of the increment."),
    must("G8", "short-movetime-ends-engine", "7.6", "A movetime of 1 ms ends the engine."),
    must("G8", "movetime-is-doubled", "7.6", "A move takes twice its movetime."),
    must("G8", "clock-every-100-ms", "7.6", "The time is rounded up to the next 100 ms."),
    should("G14", "nodes-are-thousands", "7.7", "`go nodes` counts thousands."),
    should("G15", "depth-at-most-2", "7.7", "A depth beyond 2 is searched to depth 2."),
    should("G5", "infinite-is-a-second", "7.8", "`go infinite` ends after a second."),
    must("G27", "first-search-loads-tables", "7.4", "The first search of the process takes 1.2 s more."),
    must("G27", "each-game-loads-tables", "7.4", "The first two moves of each game take 400 ms more."),
    must("G4", "stop-needs-3-s", "14.1", "A stopped search answers 3 s later."),
    must("G16", "none-when-lost", "8.6", "A lost position is answered by (none)."),
    must("G23", "dash-in-move", "8.2", "A dash stands between the squares of a move."),
    must("G23", "blank-in-move", "8.2", "A blank stands between the squares of a move."),
    should("G23", "targets-descend", "5.4", "The targets of a turn stand in descending order.", "callanish-9"),
    must("G2", "move-of-ply-before", "8.2", "After ply 40 the move of the last search is said again."),
    must("I3", "offer-behind-bestmove", "8.8", "A draw is offered behind the bestmove."),
    must("G3", "late-info", "8.1", "An info follows the bestmove after a moment."),
    must("G4", "option-in-search-ends-engine", "7.2", "An option that is set in a search ends the engine."),
    must("I4", "gameover-ends-engine", "9.10", "`gameover` ends the engine."),
    must("A10", "quit-needs-new-game", "14.2", "`quit` right behind ugiok is not heard."),
)

INFOS = (
    should("H3", "mate-without-sign", "9.2", "A mate against the mover has no minus."),
    should("H8", "time-in-seconds", "9.2", "The time is in seconds."),
    should("H1", "nodes-are-negative", "9.2", "The nodes are negative."),
    should("H2", "score-without-kind", "9.2", "A score lacks the word cp."),
    should("H11", "pv-in-capitals", "9.3", "The moves of a pv are in capitals."),
    should("H5", "pv-of-own-moves", "9.3", "The pv lacks the moves of the other side."),
    should("H7", "depth-is-left-out", "9.1", "The depth is left out of every info."),
    should("H1", "nps-is-infinite", "9.2", "The nodes a second are `inf`."),
    should("H4", "score-of-opponent", "9.2", "The score is from the side of the opponent."),
)

FAULTS = (*RULES, *QUERIES, *LINES, *OPTIONS, *POSITIONS, *SEARCH, *INFOS)
