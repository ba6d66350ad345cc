"""Alpha-beta and its end: infos, the bestmove, draws and resigning."""

import queue
import time
from collections.abc import Iterator

from tests.zoo.spec.callanish import Callanish
from tests.zoo.spec.limits import DEEPEST, Limits, LimitsReader
from tests.zoo.spec.lines import Quit, Stopped
from tests.zoo.spec.rules import Move, Position

MATE = 100_000


class Searcher(LimitsReader):
    """Hears `go` and `stop`."""

    def __init__(self, fault_name: str | None) -> None:
        super().__init__(fault_name)
        self.late_stop = False
        self.last_best = ""

    def go(self, words: list[str]) -> None:
        try:
            started = time.monotonic()
            limits = self.read_limits(words)
            self.search(limits, started)
        finally:
            self.searching = False

    def search(self, limits: Limits, started: float) -> None:
        self.searching = True
        self.stopped = self.fault("stop-outside-kept") and self.late_stop
        self.late_stop = False
        came_before = list(self.waiting)
        self.waiting.clear()
        for words in came_before:
            self.hear(words)
        game = self.game
        if game.outcome:
            best = self.finished_move()
            if limits.infinite and not self.fault("finished-game-answered-at-once"):
                self.wait_for_stop()
            self.say(f"bestmove {best}")
            return
        root = self.new_root(limits, started)
        best = root.run()
        if limits.infinite and not self.fault("infinite-ends-with-search"):
            if self.fault("isready-not-answered-at-rest"):
                self.wait_deaf()
            self.wait_for_stop()
        self.last_best = best
        self.finish(root, best)

    def new_root(self, limits: Limits, started: float) -> "Root":
        return Root(self, limits, started)

    def finish(self, root: "Root", best: str) -> None:
        offers = root.offers and (self.is_on("UGI_Draw") or self.fault("draw-offered-unasked"))
        if offers:
            self.say("offer draw")
            if self.fault("info-behind-offer"):
                self.say("info string a draw is offered")
        if root.resigns and (self.is_on("UGI_Resign") or self.fault("resigns-unasked")):
            best = "resign"
        line = f"bestmove {best}"
        if self.fault("ponder-without-word"):
            line += " ponder" + "".join(f" {word}" for word in root.pv[1:2])
        if self.fault("score-behind-move"):
            line += f" score {root.score}"
        if self.fault("capture-with-sign") and root.captures(best):
            line = f"bestmove {best[:2]}x{best[2:]}"
        self.say(line)
        if self.fault("stopped-search-answers-twice") and self.stopped and root.limits.infinite:
            self.say(line)
        if self.fault("ponders"):
            end = time.monotonic() + 2
            while time.monotonic() < end and self.inbox.empty():
                next(self.game.rules.moves(self.game.position), None)

    def finished_move(self) -> str:
        if self.fault("finished-game-gets-a-move"):
            return next(map(self.game.rules.text, self.game.rules.moves(self.game.position)), "0000")
        return "0000"

    def wait_for_stop(self) -> None:
        while not self.stopped:
            self.listen()
            try:
                self.hear(self.inbox.get(timeout=0.25))
            except queue.Empty:
                continue

    def wait_deaf(self) -> None:
        while not self.stopped:
            if self.ending.is_set():
                raise Quit
            if (words := self.inbox.get()) == ["stop"]:
                self.stopped = True
            else:
                self.waiting.append(words)


class Root:
    """One search: alpha-beta, deeper and deeper. The moves of the root are shuffled, so that equal ones take turns."""

    def __init__(self, engine: Searcher, limits: Limits, started: float) -> None:
        self.engine, self.limits, self.started, self.fault = engine, limits, started, engine.fault
        self.game, self.rules = engine.game, engine.game.rules
        self.seen = dict(self.game.seen)
        self.nodes = 0
        self.score = 0
        self.pv: list[str] = []
        self.depth = 0
        self.offers = self.resigns = False
        self.most_entries = 1000 * int(engine.values["hash"])

    def elapsed_ms(self) -> float:
        return (time.monotonic() - self.started) * 1000

    def captures(self, word: str) -> bool:
        move = self.rules.parse(word)
        if move is None or len(move) != 2:
            return False
        after = self.rules.play(self.game.position, move).board
        return sum(map(after.count, "adk")) < sum(map(self.game.position.board.count, "adk"))

    def run(self) -> str:
        position = self.game.position
        first = next(self.rules.moves(position))
        budget = self.limits.budget_ms
        if self.engine.is_on("OwnBook") and self.game.plies < 2 and isinstance(self.rules, Callanish):
            return self.book_move(position, first)
        best = first
        try:
            if budget is not None and budget < 10 and not self.fault("first-depth-always"):
                raise Stopped
            moves = self.root_moves(position)
            best = moves[0]
            if self.limits.depth == 0:
                return "0000"
            self.deepen(position, moves)
        except Stopped:
            pass
        if not self.pv:
            if self.fault("stopped-early-finds-nothing"):
                return "0000"
            if self.fault("stale-move-when-late") and self.engine.last_best:
                return self.engine.last_best
            self.pv, self.score = [self.rules.text(best)], self.rules.worth(position)
            self.inform(1)
        if self.fault("best-of-unfinished-depth") and self.unfinished:
            return self.unfinished
        return self.pv[0]

    unfinished = ""

    def book_move(self, position: Position, first: Move) -> str:
        middle = len(position.board) // 2
        move = (middle,) if self.rules.legal(position, (middle,)) else first
        self.pv = [self.rules.text(move)]
        self.inform(1)
        return self.pv[0]

    def root_moves(self, position: Position) -> list[Move]:
        if self.fault("order-of-a-set"):
            words = {self.rules.text(move) for move in self.rules.moves(position)}
            return [move for word in words if (move := self.rules.parse(word))]
        moves = list(self.rules.moves(position))
        self.engine.random.shuffle(moves)
        return moves

    def deepen(self, position: Position, moves: list[Move]) -> None:
        for depth in range(1, self.limits.depth + 1):
            self.depth, budget = depth, self.limits.budget_ms
            if self.engine.stopped:
                raise Stopped
            if self.depth > 1 and budget is not None and self.elapsed_ms() > budget / 2:
                return
            best, best_move, pv = -MATE - 1, moves[0], [""]
            for move in moves:
                score, line = self.child(position, move, self.depth - 1, 1, -MATE - 1, -best)
                if score > best:
                    best, best_move, pv = score, move, [self.rules.text(move), *line]
                    self.unfinished = pv[0]
            moves.remove(best_move)
            moves.insert(0, best_move)
            self.score, self.pv = best, pv
            self.resigns = best <= -(MATE - 2)
            self.offers = abs(best) <= 20 and bool(self.rules.repetition) and self.game.plies >= 8
            self.inform(self.depth)
            if abs(best) > MATE - 1000:
                return
            if self.nodes >= (self.limits.nodes or self.nodes + 1):
                return

    def inform(self, depth: int) -> None:
        if self.fault("never-informs"):
            return
        ms = int(self.elapsed_ms())
        left = MATE - abs(self.score)
        if self.fault("mate-in-moves"):
            left = (left + 1) // 2
        sign = -1 if self.fault("score-of-p1") and self.game.position.side == 1 else 1
        sign *= -1 if self.score < 0 else 1
        score = f"mate {sign * left}" if abs(self.score) > MATE - 1000 else f"cp {sign * abs(self.score)}"
        if self.fault("score-in-stones") and "cp" in score:
            score = f"cp {sign * abs(self.score) / 100:.2f}"
        pv = "" if self.resigns and self.engine.is_on("UGI_Resign") else " pv " + " ".join(self.shown_pv())
        words = f"multipv 1 score {score} nodes {self.nodes} time {ms} nps {self.nodes * 1000 // max(ms, 1)}"
        if self.fault("pv-before-score"):
            self.engine.say(f"info depth {depth}{pv} {words}")
        else:
            self.engine.say(f"info depth {depth} {words}{pv}")

    def shown_pv(self) -> list[str]:
        if self.fault("pv-begins-with-reply") and len(self.pv) > 1:
            return self.pv[1:]
        if self.fault("pv-past-the-end") and abs(self.score) > MATE - 1000:
            return [*self.pv, self.pv[0]]
        return self.pv

    def check_limits(self) -> None:
        engine, limits = self.engine, self.limits
        engine.listen()
        if engine.stopped and not self.fault("stop-between-depths"):
            raise Stopped
        if limits.nodes is not None and self.nodes >= limits.nodes and not self.fault("nodes-between-depths"):
            raise Stopped
        if self.fault("first-depth-always") and self.depth == 1:
            return
        if limits.budget_ms is not None and self.elapsed_ms() >= limits.budget_ms:
            raise Stopped
        if limits.depth < DEEPEST and self.nodes >= 100_000 and not self.fault("depth-without-end"):
            raise Stopped

    def child(
        self, position: Position, move: Move, depth: int, ply: int, alpha: int, beta: int
    ) -> tuple[int, list[str]]:
        """The value of a move for the side that plays it, and the best line behind it."""
        self.check_limits()
        after = self.rules.play(position, move)
        self.nodes += 1
        key = self.game.key(after)
        self.seen[key] = self.seen.get(key, 0) + 1
        try:
            outcome = self.rules.outcome(after, position) or self.game.repeated(after, self.seen[key])
            if outcome:
                if outcome.winner is None:
                    return 0, []
                return (MATE - ply if outcome.winner == position.side else ply - MATE), []
            if depth == 0:
                return -self.rules.worth(after), []
            score, line = self.node(after, key, depth, ply, alpha, beta)
            return -score, line
        finally:
            self.seen[key] -= 1

    def node(self, position: Position, key: str, depth: int, ply: int, alpha: int, beta: int) -> tuple[int, list[str]]:
        best, best_line, best_move = -MATE - 1, [""], None
        for move in self.ordered(position, key):
            score, line = self.child(position, move, depth - 1, ply + 1, -beta, -max(alpha, best))
            if score > best:
                best, best_line, best_move = score, [self.rules.text(move), *line], move
            if best >= beta:
                break
        if best_move and len(self.engine.table) < self.most_entries:
            self.engine.table[key] = best_move
        return best, best_line

    def ordered(self, position: Position, key: str) -> Iterator[Move]:
        """The best move of an earlier search comes first."""
        known = self.engine.table.get(key)
        if known is not None and self.rules.legal(position, known):
            yield known
        else:
            known = None
        for move in self.rules.moves(position):
            if move != known:
                yield move
