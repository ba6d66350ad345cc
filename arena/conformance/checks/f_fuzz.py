"""Check F10: the rules in random positions, compared with the judge's. It joins the group of the other rules.

The judge makes the cases and names the rule. An engine without queries is compared by the legality of its moves.
"""

import time

from arena.conformance.check import M, check
from arena.conformance.checked_engine import SEARCH_MS, CheckedEngine
from arena.conformance.checks.f_rules import Difference, difference
from arena.conformance.context import START, CheckContext, applies
from arena.conformance.judge.named_rule import named_rule
from arena.conformance.judge.positions import GamePosition
from arena.conformance.judge.random_lines import random_lines
from arena.conformance.violation import Violation
from arena.games.game import Game
from arena.games.game_words import canonical_word, legal_words
from arena.games.line import played
from arena.games.perft import perft
from arena.games.random_line import RandomLine
from arena.games.squares import EMPTY, spread_rows, write_rows
from arena.games.variants import find

_CASES, _MANY_CASES = 700, 5_600
_DOSE_S, _LONGEST_S = 3.5, 15.0
"""No more cases are begun after so much CPU time of ours, and after so much time, whatever their number.

The CPU time of a case is much the same on every machine, so a busy one looks at as many cases as a quiet one.
"""
_FULL_DOSES = 24
"""Of an engine with more variants each gets a smaller dose, so that the whole takes no longer."""
_EVERY = 20
"""Of a longer line of play not every ply is looked at."""
_SHRINK_S = 5.0
_PERFT_MOST = 1_500
_GO = "nodes 20"


class _Comparison:
    """One engine in one variant, and what it can be asked."""

    def __init__(self, ctx: CheckContext) -> None:
        self.ctx = ctx
        self.engine: CheckedEngine = ctx.new_engine()
        self.variant = ctx.variant
        self.engine.set_position(START)
        # The board comes first: if it is wrong, all else is wrong because of it.
        self.queries = ["fen"] if "fen" in ctx.queries else []
        self.queries += [word for word in ("result", "gameover", "p1turn") if self.engine.ask(word) is not None]
        self.queries += ["legalmoves"] if "legalmoves" in ctx.queries else []

    def follow(self, case: RandomLine, deep: bool) -> tuple[RandomLine, Difference] | None:
        """The first ply of a case at which an answer differs, None if none does."""
        self.set_rules(case.variant)
        line = played(case.variant, case.fen)
        for ply in range(len(case.moves) + 1):
            if ply:
                line.play(case.moves[ply - 1])
            last = ply == len(case.moves)
            if len(case.moves) > _EVERY and ply < len(case.moves) - 4 and ply % 6:
                continue
            shorter = case._replace(moves=case.moves[:ply])
            search = last and (deep or not self.queries)
            if wrong := self.differs(shorter, line, search=search, count=last and deep):
                return shorter, wrong
        return None

    def set_rules(self, variant: str) -> None:
        """Tell the engine the variant and the rule options of a case, if they are others than before."""
        if variant != self.variant:
            self.ctx.begin(self.engine, variant)
            self.variant = variant

    def differs(self, case: RandomLine, line: Game, *, search: bool, count: bool) -> Difference | None:
        """The first difference at the end of a case. Raises Violation if the engine gives no answer."""
        position = GamePosition(case.fen, case.moves)
        try:
            for query, answer in zip(self.queries, self.engine.ask_all(self.queries, position), strict=True):
                if wrong := difference(query, answer, line):
                    return wrong
            if line.outcome is None and (search or not self.queries):
                self.engine.ready()
                word = self.engine.go(_GO, position, SEARCH_MS).word
                if canonical_word(line, word) is None:
                    return Difference("bestmove", word, "a legal move")
            if count and "perft" in self.ctx.queries and len(legal_words(line)) ** 2 <= _PERFT_MOST:
                right = str(perft(line.position, 2))
                if (response := self.engine.ask("perft 2") or "nothing") != right:
                    return Difference("perft 2", response, right)
        except Violation as violation:
            raise violation.about(f"{violation}: {_shown(case)}") from None
        return None


@check(
    "F10", "A.1", M, "its rules are the judge's in random positions", "a rule that the games at hand hardly show",
    each_variant=True,
    needs=("B4", "C9", "E7", "E8", "E15"),
)  # fmt: skip
def plays_random_positions(ctx: CheckContext) -> str:
    settings = ctx.check_run.settings
    comparison = _Comparison(ctx)
    start_ns, start_cpu_ns, done = time.monotonic_ns(), time.thread_time_ns(), 0
    dose = ctx.repeats(1, 8) * min(1, _FULL_DOSES / len(ctx.variants()))
    allowed_s = settings.fuzz_s or _LONGEST_S * ctx.slow * dose
    allowed_cpu_s = settings.fuzz_s or _DOSE_S * ctx.slow * dose
    most = 1 << 62 if settings.fuzz_s else ctx.repeats(_CASES, _MANY_CASES)
    announced = [find(variant) for variant in ctx.variants()] if "ugi_rules" in ctx.announced else []
    for case in random_lines(ctx.variant, settings.seed, announced):
        if done == most or (done and time.monotonic_ns() - start_ns > allowed_s * 1e9):
            break
        if done and time.thread_time_ns() - start_cpu_ns > allowed_cpu_s * 1e9:
            break
        if (shown := comparison.follow(case, deep=done % 4 == 0)) is not None:
            raise _violation(comparison, *shown, f"seed {settings.seed}, case {done + 1}: {case.theme}")
        done += 1
    applies(done, f"no random position of {ctx.variant} could be made")
    return f"{done} random games, seed {settings.seed}"


def _violation(comparison: _Comparison, case: RandomLine, wrong: Difference, origin: str) -> Violation:
    case, wrong = _shrunk(comparison, case, wrong)
    # The report shows the last lines of the dialogue, so they are about this case.
    wrong = _still(comparison, case, wrong.query) or wrong
    rule = named_rule(played(case.variant, case.fen, case.moves), wrong.query.split()[0], wrong.response)
    text = f"{rule.text} ({rule.clause}). {wrong}: {_shown(case)} ({origin})"
    changed = find(case.variant).changed_options != comparison.ctx.rules.changed_options
    return Violation(text, clause=rule.clause, matter="C10" if changed else "")


def _shown(case: RandomLine) -> str:
    moves = f" moves {' '.join(case.moves)}" if case.moves else ""
    return f"{case.variant}, position fen {case.fen}{moves}"


# Shrinking


def _shrunk(comparison: _Comparison, case: RandomLine, wrong: Difference) -> tuple[RandomLine, Difference]:
    """The case with as few moves and then as few pieces as still show a difference of the same query."""
    end_ns = time.monotonic_ns() + int(_SHRINK_S * comparison.ctx.slow * 1e9)
    best = (case, wrong)
    todo = _smaller(case)
    while todo and time.monotonic_ns() <= end_ns:
        smaller = todo.pop(0)
        if (again := _still(comparison, smaller, wrong.query)) is not None:
            best = (smaller, again)
            todo = _smaller(smaller)
    return best


def _still(comparison: _Comparison, case: RandomLine, query: str) -> Difference | None:
    """The difference of the same query at the end of a case, None if there is none or the case is impossible."""
    try:
        line = played(case.variant, case.fen, case.moves)
    except ValueError:
        return None
    comparison.set_rules(case.variant)
    wrong = comparison.differs(case, line, search=query == "bestmove", count=query.startswith("perft"))
    return wrong if wrong is not None and wrong.query == query else None


def _smaller(case: RandomLine) -> list[RandomLine]:
    """Cases that are a little smaller: a later start, fewer moves, fewer pieces."""
    smaller = []
    count = len(case.moves)
    for first in (count, count - 1, (count + 1) // 2, 1):
        if 0 < first <= count:
            try:
                start = played(case.variant, case.fen, case.moves[:first]).position.fen()
            except ValueError:
                continue
            smaller.append(case._replace(fen=start, moves=case.moves[first:]))
    for pair in range(count - 1):
        for length in (4, 2):
            if pair + length <= count:
                smaller.append(case._replace(moves=case.moves[:pair] + case.moves[pair + length :]))
    board, _, rest = case.fen.partition(" ")
    full = "/".join(spread_rows(board))
    for at, letter in enumerate(full):
        if letter.isalpha() and letter != "k":
            less = f"{full[:at]}{EMPTY}{full[at + 1 :]}"
            smaller.append(case._replace(fen=f"{write_rows(less.split('/'))} {rest}"))
    return smaller
