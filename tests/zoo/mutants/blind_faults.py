"""The faults that blind.py commits on request, and the clauses of protocol/SPEC.md that they break.

The table names no check. Its author had not seen the checks, only the specification.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `rule` tells whether it lies in the rules of a game, `force` what the specification says there."""

    name: str
    clause: str
    wrong: str
    rule: bool
    force: Literal["MUST", "SHOULD"]


def rule(name: str, clause: str, wrong: str, force: Literal["MUST", "SHOULD"] = "MUST") -> Fault:
    return Fault(name, clause, wrong, True, force)


def must(name: str, clause: str, wrong: str) -> Fault:
    return Fault(name, clause, wrong, False, "MUST")


def should(name: str, clause: str, wrong: str) -> Fault:
    return Fault(name, clause, wrong, False, "SHOULD")


CALLANISH = (
    rule("need-counts-holes", "A.5", "The need of a line is half of its length, holes included."),
    rule("need-of-the-file", "A.5", "The need of a rank is taken from the height of the board, also on a rectangle."),
    rule("need-even-and-one", "A.5", "A line with an even number of squares needs one more than half of them."),
    rule("need-rounded-down-from-11", "A.5", "The need of a line of eleven squares or more is rounded down."),
    rule("need-at-least-two", "A.5", "No line needs fewer than two squares, also a line of one or two squares."),
    rule("hole-splits-line", "A.5", "A hole splits a line: the squares on one side of it must be enough."),
    rule("line-without-gaps", "A.5", "The squares that count in a line must be adjacent."),
    rule("covered-stones-count", "A.5", "A covered stone counts in a line like an exposed one."),
    rule("last-rank-is-no-line", "A.5", "The top rank is never looked at as a line."),
    rule("diagonals-are-lines", "A.5", "The two long diagonals of a square board count as lines."),
    rule("own-line-wins-at-once", "A.6", "A line of the player who has just moved wins at once."),
    rule(
        "uncovered-line-not-seen",
        "A.6",
        "A line counts only if it stood before the last turn, so an uncovered one does not.",
    ),
    rule("turn-judged-before-line", "A.6", "A side that holds a line and has no complete turn has lost, not won."),
    rule("no-turn-is-a-draw", "A.6", "A side without a complete turn draws."),
    rule(
        "one-target-is-a-turn", "A.6", "A side that has stones with one target only is taken to have a complete turn."
    ),
    rule("string-line-not-seen", "A.7", "A position string in which the side to move holds a line goes on."),
    rule(
        "string-line-of-either-side",
        "A.7",
        "A position string in which the side not to move holds a line is won by it.",
    ),
    rule(
        "string-without-turn-not-seen", "A.7", "A position string without a complete turn goes on, with no legal move."
    ),
    rule("covered-side-places-again", "A.3", "A side whose stones are all covered places a stone instead of losing."),
    rule("placement-on-enemy", "A.3", "The second placement may go on top of the enemy stone."),
    rule("target-own-covered", "A.4", "A target may hold a covered stone of the mover's."),
    rule("moves-covered-stones", "A.4", "A covered stone may be taken from under the enemy stone."),
    rule("uncovered-stone-lost", "A.4", "The stone beneath a moved stone is taken off too."),
    rule(
        "jumps-round-the-top",
        "A.4",
        "A knight's move over the top edge by one rank goes on at the foot of the next file.",
    ),
    rule("hole-is-a-target", "A.4", "A hole may be the target of a turn."),
    rule("hole-stops-jump", "A.4", "A hole beside a stone stops its knight's moves over that hole."),
    rule("supply-one-more", "A.4", "With the knob supply a side with exactly that many stones may still move."),
    rule("supply-two-at-hand", "A.4", "With the knob supply a turn needs two stones in reserve, not one."),
    rule("supply-exposed-only", "A.4", "Covered stones do not count for the knob supply."),
    rule("supply-of-both", "A.4", "The stones of both sides count for the knob supply."),
    rule("supply-of-the-box", "A.4", "Without the knob supply no side can have more than 64 stones."),
    rule("supply-does-not-end", "A.4", "A side that has used up its supply has no moves, but the game goes on."),
    should("targets-ordered-as-text", "5.4", "The targets of a turn are ordered as text, so a10 comes before a9."),
    should("targets-ordered-by-rank", "5.4", "The targets of a turn are ordered by rank and then by file."),
    rule("drawn-board-at-most-19", "5.7", "Boards with a side of more than 19 squares are refused."),
    rule("drawn-board-is-square", "5.7", "Drawn boards that are not square are refused."),
    rule("drawn-board-at-least-5", "5.7", "Drawn boards with a side under 5 squares are refused."),
    rule("runs-of-one-digit", "5.5", "A run of several digits in a position string is read digit by digit."),
    rule("fen-runs-of-nine", "9.7", "`query fen` writes a run of more than nine squares as two runs."),
    rule("fen-hole-as-empty", "9.7", "`query fen` writes holes as empty squares."),
    rule("callanish-is-7-by-7", "A.8", "The variant callanish without a position string is callanish-7."),
    rule("corners-without-h9", "A.8", "In callanish-corners h9 is a square and no hole."),
    should("string-of-any-size", "5.7", "callanish-N takes position strings of other sizes and with holes."),
)

TAFL = (
    rule("king3-may-go-far", "A.14", "In scottish-king3 the king goes any distance."),
    rule("king1-is-unarmed", "A.14", "In scottish-king1 the king is unarmed."),
    rule("ard-ri-two-needs-four", "A.14", "In ard-ri-two the king is captured by four, as in ard-ri."),
    rule("sea-battle-is-armed", "A.14", "In sea-battle-9 the king is armed."),
    rule("nielsen-centre-is-friendly", "A.14", "In brandub-nielsen the empty centre is not hostile."),
    rule("tawlbwrdd-centre-for-king", "A.14", "In tawlbwrdd only the king may stop on the centre."),
    rule("steps-of-one-digit", "A.11", "Only the first digit of king_steps and men_steps is read."),
    rule("king-steps-exactly", "A.11", "A king with limited steps must go exactly that many."),
    rule("king-steps-bind-defenders", "A.11", "king_steps limits the defenders too."),
    rule("men-steps-bind-king", "A.11", "men_steps limits the king too."),
    rule("men-steps-spare-defenders", "A.11", "men_steps limits the attackers only."),
    rule("centre-is-no-step", "A.11", "A move over the empty centre does not count it as a step."),
    rule("centre-not-passed", "A.9", "Pieces that may not stop on the empty centre may not pass over it."),
    rule("centre-open-to-defenders", "A.11", "With centre_stop=king and nobody the defenders may stop on the centre."),
    rule("king-returns-to-centre", "A.11", "With centre_stop=nobody the king may return to the centre."),
    rule("corner-open-to-defenders", "A.11", "With corner_stop=king the defenders may stop on a corner."),
    rule("corner-stop-needs-escape", "A.11", "corner_stop=king is not minded where the king escapes at the edge."),
    rule("corner-hostile-needs-escape", "A.11", "corner_hostile=yes is not minded where the king escapes at the edge."),
    rule("corner-hostile-when-empty", "A.11", "A hostile corner with a piece on it is not hostile."),
    rule("corner-hostile-to-defenders", "A.11", "Hostile corners help the attackers only."),
    rule("centre-hostile-to-defenders", "A.11", "A hostile centre helps the attackers only."),
    rule("full-centre-is-hostile", "A.10", "A hostile centre is hostile with a piece on it, too."),
    rule("edge-is-hostile", "A.10", "A piece on the edge is captured by one enemy that moves in front of it."),
    rule(
        "captures-round-the-edge",
        "A.10",
        "A man at the end of a file is captured together with a piece on the next file.",
    ),
    rule("captures-two-at-most", "A.10", "A move captures no more than two men."),
    rule("captures-where-nobody-moved", "A.10", "Men between two enemies are captured by any move of those enemies."),
    rule("moving-between-is-death", "A.10", "A man that moves in between two enemy men is captured."),
    rule("unarmed-king-captures", "A.10", "An unarmed king captures as the moving piece."),
    rule("unarmed-king-supports", "A.10", "An unarmed king supports the captures of defenders."),
    rule("armed-king-captures-not", "A.10", "An armed king captures nothing by his own move."),
    rule("armed-king-supports-not", "A.10", "An armed king does not support the captures of defenders."),
    rule("king-moving-between-is-taken", "A.12", "A king who moves in between two attackers is captured."),
    rule(
        "king-by-two-without-hostile",
        "A.12",
        "A king captured by two needs two attackers, hostile squares do not help.",
    ),
    rule("king-on-edge-by-three", "A.12", "A king on the edge is captured by three under king_captured_by=four."),
    rule("four-takes-any-centre", "A.12", "Under king_captured_by=four the empty centre always counts as an attacker."),
    rule("four-ignores-hostile-centre", "A.12", "Under king_captured_by=four a hostile centre does not count."),
    rule("three-on-the-centre", "A.12", "Under four-three-two three attackers capture a king on the centre."),
    rule(
        "beside-needs-hostile-centre",
        "A.12",
        "Under four-three-two the centre counts as the fourth side only if hostile.",
    ),
    rule(
        "beside-is-diagonal-too",
        "A.12",
        "Under four-three-two the diagonal neighbours of the centre need four, not two.",
    ),
    rule(
        "defender-on-centre-counts",
        "A.12",
        "Under four-three-two a defender on the centre holds the king like an empty one.",
    ),
    rule(
        "attacker-on-centre-does-not", "A.12", "Under four-three-two an attacker on the centre does not hold the king."
    ),
    rule("king-taken-by-any-move", "A.12", "A king who is surrounded is captured by any move of the attackers."),
    rule("top-rank-of-11-is-no-edge", "A.11", "On 11 by 11 the king does not win on the top rank."),
    rule("repetition-without-side", "A.13", "A position counts as repeated whichever side is to move."),
    rule("repetition-with-number", "A.13", "The turn number belongs to a position, so none is ever repeated."),
    rule("repetition-without-start", "A.13", "The position that the game starts from is not counted."),
    rule("repetition-in-a-row", "A.13", "Three occurrences count only if they come every four plies."),
    rule("repetition-looks-back-16", "A.13", "Occurrences more than sixteen plies ago are not counted."),
    rule("repetition-loses-is-draw", "A.13", "repetition=loses is read as a draw."),
    rule("repetition-loses-for-other", "A.13", "repetition=loses makes the other side lose."),
    rule("no-pieces-goes-on", "A.13", "A game goes on when the attackers have no pieces left."),
    rule("no-move-draw-not-read", "A.13", "no_move=draw is not minded: a side without a move loses."),
    rule("no-move-loses-for-p2", "A.13", "A game in which a side has no move is always won by the attackers."),
    rule(
        "barred-square-is-a-move",
        "A.13",
        "A side is taken to have a move where it could only stop on a forbidden square.",
    ),
    rule("string-without-move-not-seen", "A.13", "A position string without a legal move goes on."),
    should("two-kings-taken", "5.7", "A position string with two kings is accepted."),
    should("escaped-king-taken", "5.7", "A position string with the king on an escape square is accepted."),
)

TURNS_AND_ANSWERS = (
    rule("turn-number-each-ply", "5.6", "The turn number grows with every ply."),
    rule("turn-number-after-p1", "5.6", "The turn number grows after the turns of p1."),
    rule("number-left-out-is-0", "5.6", "A turn number that is left out is taken as 0."),
    rule("number-of-string-lost", "5.6", "The turn number of a position string is read as 1."),
    rule("fen-first-number-left-out", "9.7", "`query fen` leaves out the turn number in the first turn."),
    rule(
        "turn-by-parity", "9.6", "`query p1turn` counts the moves and forgets that p2 may begin in a position string."
    ),
    rule(
        "result-names-mover", "9.6", "`query result` names the loser as the winner where a side has no complete turn."
    ),
    rule("draw-is-not-gameover", "9.6", "`query gameover` says false after a draw."),
    rule("moves-after-repetition", "9.7", "`query legalmoves` lists moves after the third occurrence of a position."),
    rule("moves-after-line", "9.7", "`query legalmoves` lists moves in a position that a line has won."),
    rule("both-orders-listed", "9.7", "`query legalmoves` lists each turn twice, with its targets in both orders."),
    rule("islegal-after-end", "9.7", "`query islegal` says true after the game has ended."),
    rule("islegal-in-one-order", "9.7", "`query islegal` knows a turn only with its targets in ascending order."),
    rule("islegal-same-target", "9.7", "`query islegal` accepts a turn with the same target twice."),
    rule("islegal-empty-from", "9.7", "`query islegal` accepts a turn from an empty square."),
    rule("perft-0-is-0", "9.7", "`query perft 0` says 0."),
    rule("perft-counts-shorter-games", "A.15", "`query perft` counts a game that ends sooner as one sequence."),
    rule("perft-minds-repetition", "A.15", "`query perft` stops at the third occurrence of a position."),
)

HANDSHAKE_AND_OPTIONS = (
    must("identifies-unasked", "3.1", "The handshake is sent at the start, without waiting for `ugi`."),
    must("ugiok-before-last-option", "3.1", "The last option is sent after `ugiok`."),
    should("no-author", "3.2", "No `id author` is given."),
    should("name-twice", "3.2", "`id name` is given twice."),
    must("spin-without-range", "3.3", "A spin option is announced without its range."),
    must("button-with-default", "3.3", "A button is announced with a default."),
    must("empty-default-left-out", "3.3", "The default of a string option is left out instead of written `<empty>`."),
    should("default-is-no-choice", "3.3", "The default of UGI_Variant is none of its choices."),
    must("names-differ-in-case", "3.3", "Two options have names that differ in letter case only."),
    should("banner-at-start", "3.4", "A banner is printed before `ugi`."),
    should("debug-in-handshake", "3.4", "A line of debug output stands between the lines of the handshake."),
    should("second-ugi-not-answered", "3.5", "A second `ugi` gets no answer."),
    must("option-in-exact-case", "4.1", "Names of options are known in the announced letter case only."),
    must("option-of-one-word", "4.1", "`setoption` with a name of two words, which was announced, ends the engine."),
    must("option-is-echoed", "4.1", "`setoption` is answered with a line that repeats the option."),
    must("empty-rules-not-known", "4.1", "`<empty>` is not read as the empty string, so UGI_Rules cannot be cleared."),
    must("rules-first-pair-only", "4.5", "Only the first pair of UGI_Rules is read."),
    must("rules-are-added", "4.5", "A new value of UGI_Rules is added to the old one."),
    must("options-locked-in-first-game", "4.2", "Options are ignored after the first `uginewgame`."),
    must("unknown-option-ends-engine", "4.3", "An unknown option ends the engine."),
    must("number-not-checked", "4.3", "A word where a spin option needs a number ends the engine."),
    should("out-of-range-is-taken", "4.3", "A Seed out of range is used."),
    should("unknown-variant-is-default", "4.3", "An unknown value of UGI_Variant sets the default variant."),
    should("bad-rules-clear-rules", "4.3", "A wrong value of UGI_Rules clears the rules that were set."),
    must("own-book-at-first", "4.4", "OwnBook is true by default."),
    must("variant-clears-rules", "4.6", "Setting UGI_Variant clears UGI_Rules."),
    must(
        "rules-fit-variant-at-once", "4.6", "UGI_Rules for the next variant are refused while the old variant is set."
    ),
    must("new-game-clears-rules", "4.6", "`uginewgame` clears UGI_Rules."),
    must("seed-of-16-bits", "13.1", "The range of Seed ends at 65535."),
)

LINES = (
    must("return-kept", "2.2", "The carriage return of a `\\r\\n` belongs to the last word."),
    must("tab-is-no-blank", "2.3", "A tab does not split words."),
    must("leading-blank-not-skipped", "2.3", "A line with a leading blank is not understood."),
    must("blank-line-ends-input", "2.3", "A blank line is taken as the end of the input."),
    must("unknown-line-ends-engine", "2.3", "A line with an unknown first word ends the engine."),
    must("cuts-at-return", "2.4", "A lone carriage return ends a line of the input."),
    must("cuts-at-page-feed", "2.4", "A form feed ends a line of the input."),
    must("half-line-is-a-line", "2.4", "Half a line that comes in one read is taken as a line."),
    must("one-read-is-one-line", "2.4", "Only the first of several lines that come in one read is read."),
    must("line-of-4096", "2.4", "A line is cut after 4096 bytes."),
    should("blank-after-line", "2.6", "Each line ends with a blank."),
    should("debug-before-bestmove", "2.6", "A line of debug output is printed before each bestmove."),
    must(
        "response-waits-for-next-line", "2.7", "An answer to a query stays in a buffer until the next line is printed."
    ),
    should("stderr-is-flooded", "2.8", "More than 64 KiB are written to stderr with each move."),
    must("idle-turns-round", "2.9", "The engine polls its input without a pause while nothing is due."),
    must("ponders", "2.9", "The engine goes on thinking after its bestmove."),
    must("lock-in-directory", "2.1", "A second process in the same directory does not start because of a lock file."),
    should("log-in-directory", "2.1", "A log file is written to the working directory."),
    should("needs-home", "2.1", "The engine does not start without the variable HOME."),
)

POSITIONS = (
    must(
        "longer-list-goes-on", "6.2", "A list of moves as long as the last one or longer is taken as its continuation."
    ),
    must("startpos-goes-back-to-string", "6.2", "`position startpos` after a position string returns to that string."),
    must(
        "repetition-across-positions", "6.2", "Occurrences of positions are counted on from one `position` to the next."
    ),
    must("list-of-256-moves", "6.1", "Only the first 256 moves of a list are played."),
    must("list-without-number-lost", "6.1", "The moves behind a position string without a turn number are not played."),
    should("empty-moves-refused", "6.3", "`moves` with nothing behind it makes the whole position an error."),
    must("illegal-list-ends-engine", "6.7", "An illegal move in a list ends the engine."),
    must("board-without-king-ends-engine", "6.7", "A position string without a king ends the engine."),
    must("no-readyok-after-error", "6.7", "The `isready` behind an impossible position is not answered."),
    should("new-game-keeps-position", "6.7", "The position stays after `uginewgame`."),
    should("variant-keeps-position", "6.7", "The position stays after another variant or other rules."),
    must("isready-twice-is-once", "6.4", "Two `isready` that come together get one `readyok`."),
    must("readyok-overtakes", "6.4", "`readyok` comes before the answer to a query that was asked earlier."),
    should("searches-at-position", "6.4", "The engine begins to think when it gets a position, before `go`."),
    must("isready-waits-for-search", "6.5", "`isready` during a search is answered after the search."),
    must("isready-ends-search", "6.5", "`isready` ends a search."),
    must(
        "isready-not-answered-at-rest",
        "6.5",
        "`isready` is not answered where `go infinite` has nothing left to search.",
    ),
    must("table-outlives-game", "6.6", "The table of the search is kept over `uginewgame`."),
    must("random-outlives-game", "6.6", "The random generator goes on over `uginewgame`."),
)

SEARCH = (
    should("go-alone-is-infinite", "7.1", "`go` without a limit searches for ever."),
    should("depth-0-finds-nothing", "7.1", "`go depth 0` is answered with 0000."),
    must("word-for-number-ends-engine", "7.1", "`go` with a word where a number belongs ends the engine."),
    should("second-go-ends-search", "7.2", "A `go` during a search ends that search."),
    should("lines-in-search-dropped", "7.2", "Options and queries that come during a search are dropped."),
    must("stop-behind-lines-not-seen", "7.2", "A `stop` behind a waiting line does not end the search."),
    must("perft-does-not-listen", "7.2", "`quit` and the end of the input wait until a perft has been counted."),
    must("clock-of-p1", "7.3", "The clock of p1 is used for both sides."),
    must("clock-of-parity", "7.3", "The own clock is found by the number of moves, which is wrong where p2 began."),
    should("clocks-in-fixed-order", "7.3", "The clocks are read in a fixed order, whatever their names are."),
    should("increment-must-be-there", "7.3", "A clock without its increment ends the engine."),
    should("unknown-word-ends-go", "7.3", "What follows an unknown word in `go` is not read."),
    must("thinks-at-least-120", "7.4", "At least 120 ms are used for a move, also on a shorter clock."),
    must(
        "increment-spent-in-advance", "7.4", "The increment is spent before it is added, also where the clock has less."
    ),
    must("first-depth-always", "7.4", "The first depth is finished even when no time is left for it."),
    must("stale-move-when-late", "8.2", "Without time for a search the move of the last search is sent again."),
    must("last-of-period-and-more", "7.5", "On the last move of a period a fifth more than the clock is used."),
    must("period-counts-increments", "7.5", "With movestogo later increments of the period are spent at once."),
    must("movetime-at-least-250", "7.6", "A movetime under 250 ms is taken as 250 ms."),
    must("movetime-and-a-tenth", "7.6", "A tenth more than the movetime is used."),
    should("nodes-between-depths", "7.7", "The limit of nodes is looked at between two depths only."),
    should("depth-one-more", "7.7", "The search goes one ply deeper than was asked."),
    must("depth-without-end", "7.7", "A great depth is searched without minding the deadline of 60 s."),
    should(
        "infinite-ends-with-search", "7.8", "`go infinite` is answered before `stop` where nothing is left to search."
    ),
    should("finished-game-answered-at-once", "7.8", "`go infinite` in a finished position is answered before `stop`."),
    must("stop-between-depths", "14.1", "`stop` is looked at between two depths only."),
    must("stop-right-behind-go-lost", "14.1", "A `stop` that comes together with `go` is lost."),
    must("stopped-early-finds-nothing", "14.1", "A search that ends before its first depth is done answers 0000."),
    must("stop-outside-kept", "14.1", "A `stop` outside a search ends the next search."),
    must("stop-outside-is-answered", "14.1", "A `stop` outside a search is answered with a bestmove."),
    should("order-of-a-set", "13.2", "The order of the moves differs from process to process, so the move does too."),
    should("seed-not-used", "13.2", "The random generator does not use the Seed."),
)

ANSWERS = (
    must("stopped-search-answers-twice", "8.1", "A stopped `go infinite` is answered by two bestmoves."),
    must("info-behind-bestmove", "8.1", "An info line follows the bestmove."),
    must("capture-with-sign", "8.2", "A capturing move of a tafl game is written with an x."),
    must("ponder-without-word", "8.3", "`ponder` stands behind the move also where no word follows."),
    must("score-behind-move", "8.3", "The score stands behind the move in a bestmove."),
    should("bestmove-in-upper-case", "8.4", "The move of a bestmove is in upper case."),
    must("resigns-unasked", "8.7", "The engine resigns lost positions while UGI_Resign is false."),
    must("draw-offered-unasked", "8.8", "The engine offers draws while UGI_Draw is false."),
    must("draw-offered-twice", "8.8", "A draw is offered twice for one `go`."),
    must("info-behind-offer", "8.8", "An info line stands between `offer draw` and its bestmove."),
    must("finished-game-ends-engine", "8.9", "`go` in a finished position ends the engine."),
    should("finished-game-gets-a-move", "8.9", "`go` in a finished position is answered with a move of the board."),
    should("never-informs", "9.1", "No info line is sent."),
    should("info-for-each-move", "9.1", "An info line is sent for each move of the root at each depth."),
    should("info-without-nodes", "9.1", "The info lines have no nodes."),
    should("lines-from-0", "9.2", "The first line has the number 0 in multipv."),
    should("score-of-p1", "9.2", "The score is from the side of p1, not of the mover."),
    should("mate-in-moves", "9.2", "A mate is told in moves, not in plies."),
    should("score-in-stones", "9.2", "The score behind cp is in stones, with a fraction."),
    should("time-with-fraction", "9.2", "The time in info is no whole number."),
    should("pv-before-score", "9.2", "The pv is not the last thing in an info line."),
    should("pv-begins-with-reply", "9.3", "The pv begins with the reply to the bestmove."),
    should("pv-past-the-end", "9.3", "The pv goes on behind the end of the game."),
    should("best-of-unfinished-depth", "9.3", "The bestmove is from an unfinished depth and differs from the last pv."),
    must("result-without-win", "9.6", "`query result` says p1 where it should say p1win."),
    must("booleans-of-python", "9.6", "`query p1turn` says True or False with a capital."),
    must("queries-names-too-much", "9.7", "UGI_Queries names a query that the engine does not answer."),
    must("moves-without-count", "9.7", "`query legalmoves` leaves out the number of moves."),
    should("islegal-in-any-case", "9.7", "`query islegal` accepts a move in upper case."),
    must("unknown-query-gets-response", "9.7", "An unknown query is answered by `response none`."),
    must("unknown-query-ends-engine", "9.7", "An unknown query ends the engine."),
    must("perft-depth-not-checked", "9.7", "`query perft` with a negative depth or a word ends the engine."),
    must(
        "query-takes-a-random-number", "9.7", "A query takes a number from the generator, so the next search differs."
    ),
    must("gameover-is-answered", "9.10", "`gameover` is answered with readyok."),
)

END = (
    must("quit-after-search", "14.2", "`quit` during a search waits until the search ends."),
    must("slow-to-quit", "14.2", "The engine exits six seconds after `quit`."),
    should("status-of-quit", "14.2", "The engine exits with status 1 after `quit`."),
    must("end-of-input-ignored", "14.3", "The engine lives on after the end of its input."),
    must("end-of-input-after-search", "14.3", "The end of the input during a search waits until the search ends."),
    must("lives-without-stdout", "14.4", "The engine searches on for ever after its stdout was closed."),
)

FAULTS = (
    *CALLANISH,
    *TAFL,
    *TURNS_AND_ANSWERS,
    *HANDSHAKE_AND_OPTIONS,
    *LINES,
    *POSITIONS,
    *SEARCH,
    *ANSWERS,
    *END,
)
