"""`arena solve`: the value of a start position, and proofs of it that the plain rules check."""

import contextlib
import json
import math
import shlex
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import output
from arena.cli.errors import INTERRUPTED, BadInput, CheckFailed
from arena.cli.option_groups import argument, option
from arena.cli.position_options import Board, Fen, RuleOptions
from arena.games.boards import start_of
from arena.games.rules import RulesError
from arena.run.control import heard
from arena.solving import proof as proofs
from arena.solving import solve as solving
from arena.solving import summary
from arena.solving.proof import Proof
from arena.solving.search import ENTRY_BYTES, MOST_PLIES, Search, SearchEnded
from arena.solving.solve import FirstMove, Solver
from arena.whole_file import check_target, write_whole
from results.tables.text_width import cut
from results.variant_name import shown

_MOST_HOURS = 10_000
_LEAST_MB, _MOST_MB = 8, 1 << 20
_SAVE_S = 600.0
"""Seconds between two times that the work file is written."""
_TELL_S = 10.0
"""Seconds between two lines of progress during one question."""
_QUIET_S = 1.0
"""Questions that are answered sooner are not told."""
_LONGEST_MESSAGE = 300


def solve(
    variant: Annotated[
        str | None, argument("What is solved: a variant, or the TOML file of your own; none with --check.", "VARIANT")
    ] = None,
    rules: RuleOptions = "",
    board: Board = None,
    fen: Fen = None,
    depth: Annotated[int, option("Look for forced wins within at most so many plies.")] = 200,
    hours: Annotated[float, option("End the search after so many hours and say how far it came.")] = 1.0,
    memory: Annotated[int, option("About how much the table of positions may take.", "MB")] = 512,
    work: Annotated[Path | None, option("Keep the table in this file; the same command again goes on with it.")] = None,
    out: Annotated[Path | None, option("Write the proof of a win to this file.")] = None,
    check: Annotated[Path | None, option("Check a proof by the plain rules, and search nothing.", "FILE")] = None,
    as_json: Annotated[bool, option("Print one JSON object instead.", flag="--json")] = False,
) -> None:
    """Find out who wins a small game by force, with a proof that the plain rules check."""
    if check is not None:
        if variant is not None or board is not None or fen is not None or rules or work is not None or out is not None:
            raise BadInput("--check reads all from the proof: give it alone, or with --json")
        _check(check, as_json)
        return
    if variant is None:
        raise BadInput("name the variant to solve, such as callanish-5, or a proof with --check FILE")
    if board is not None and fen is not None:
        raise BadInput("give --board or --fen, not both")
    if work is not None and work == out:
        raise BadInput("--work and --out name the same file: give each its own")
    solver = _solver(variant, rules, board, fen, depth, hours, memory)
    for path, flag in ((work, "--work"), (out, "--out")):
        if path is not None:
            check_target(path, flag)
    if work is not None and work.exists():
        if not work.is_file():
            raise BadInput(f"--work {str(work)!r} is no ordinary file: name one, or a new one")
        _go_on(solver, work)
    started = time.monotonic()
    solver.search.deadline = started + hours * 3600
    proof, first = _search(solver, depth, work, out is not None)
    if out is not None and proof is not None:
        write_whole(out, proofs.write(proof))
    elif out is not None:
        output.notify(f"{str(out)!r} is not written: there is no proof yet")
    seconds = time.monotonic() - started
    if as_json:
        output.echo(json.dumps(summary.values(solver, proof, first, seconds)))
        return
    for sentence in summary.sentences(solver, shown(solver.rules.name), first, seconds):
        output.echo_sentence(sentence)
    if proof is not None:
        output.echo_sentence(f"proof: {len(proof.answers)} positions")
        output.say_command(f"arena solve --check {shlex.quote(str(out))}", "check it:")


def _solver(
    variant: str, rules: str, board: Path | None, fen: str | None, depth: int, hours: float, memory: int
) -> Solver:
    if not 1 <= depth <= MOST_PLIES:
        raise BadInput(f"--depth {depth} is out of range: give 1 to {MOST_PLIES}")
    if not (math.isfinite(hours) and 0 < hours <= _MOST_HOURS):
        raise BadInput(f"--hours {hours:g} is out of range: it must be above 0 and at most {_MOST_HOURS}")
    if not _LEAST_MB <= memory <= _MOST_MB:
        raise BadInput(f"--memory {memory} is out of range: give {_LEAST_MB} to {_MOST_MB} MB")
    solved, start = start_of(variant, rules, board, fen)
    if start.outcome is not None:
        raise BadInput(f"the game is over in {start.fen()}: start from another position")
    return Solver(solved, start, Search(start, (memory << 20) // ENTRY_BYTES))


def _go_on(solver: Solver, work: Path) -> None:
    try:
        with work.open(encoding="utf-8") as lines:
            solving.read(solver, lines)
    except UnicodeDecodeError:
        raise BadInput(f"--work {str(work)!r} is no text: name another file, or a new one") from None
    except RulesError as error:
        raise BadInput(f"--work {str(work)!r} {error}") from None


@contextlib.contextmanager
def _as_ctrl_c() -> Iterator[None]:
    """Within this block SIGTERM and SIGHUP raise KeyboardInterrupt, so that what Ctrl-C keeps is kept then, too."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in heard() if number != signal.SIGINT}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _search(solver: Solver, depth: int, work: Path | None, wants_proof: bool) -> tuple[Proof | None, list[FirstMove]]:
    """Search until a side wins or until it is to end: its proof if one is wanted and found, and the first moves."""
    progress = _Progress(solver, work)
    solver.search.on_look = progress.look
    proof: Proof | None = None
    first: list[FirstMove] = []
    try:
        with _as_ctrl_c():
            solver.run(depth, progress.answered)
            if solver.win is not None:
                progress.after = "the worth of first moves:"
                first = solver.first_moves()
                if wants_proof:
                    progress.after = "the proof:"
                    proof = proofs.make(solver.search, solver.rules, solver.start, *solver.win)
    except SearchEnded:
        output.notify("the hours are over")
    except KeyboardInterrupt:
        output.over_echo()
        progress.save()
        again = "" if work is None else ": the same command goes on from here"
        output.notify(f"interrupted{again}")
        for sentence in summary.no_wins(solver):
            output.notify(sentence)
        raise typer.Exit(INTERRUPTED) from None
    progress.save()
    return proof, first


class _Progress:
    """Tells now and then how a search stands, on stderr, and keeps its work."""

    def __init__(self, solver: Solver, work: Path | None) -> None:
        self._solver = solver
        self._work = work
        self._reported = self._began = self._saved = time.monotonic()
        self.after: str | None = None
        """What is done once the start is solved; None before."""

    def look(self) -> None:
        """Is called during the search."""
        now = time.monotonic()
        if now - self._reported >= _TELL_S:
            self._reported = now
            solver = self._solver
            known = len(solver.search.table)
            side, plies = solver.asking
            now_at = self.after or f"{side} within {plies} plies?"
            output.notify(f"{now_at} {summary.counted(solver.nodes)} nodes, {summary.counted(known)} positions known")
        if now - self._saved >= _SAVE_S:
            self.save()

    def answered(self, side: str, plies: int, wins: bool) -> None:
        """A question was answered."""
        now = time.monotonic()
        if now - self._began >= _QUIET_S:
            self._reported = now
            answer = "wins" if wins else "has no forced win"
            output.notify(f"{side} {answer} within {plies} plies ({summary.counted(self._solver.nodes)} nodes)")
        self._began = now

    def save(self) -> None:
        """Write the work file, whole or not at all."""
        if self._work is not None:
            write_whole(self._work, solving.write(self._solver))
        self._saved = time.monotonic()


def _check(file: Path, as_json: bool) -> None:
    try:
        # What is no text becomes no JSON.
        with file.open(encoding="utf-8", errors="replace") as stream:
            proof = proofs.check(proofs.lines_of(stream))
    except proofs.BadProof as error:
        raise BadInput(f"{file}: {error}") from None
    except proofs.Wrong as wrong:
        message = cut(str(wrong), _LONGEST_MESSAGE)
        if as_json:
            output.echo(json.dumps({"proven": False, "line": wrong.line, "message": message}))
        else:
            output.echo_sentence(f"no: {file}, line {wrong.line}: {message}")
        raise CheckFailed from None
    if as_json:
        output.echo(json.dumps(summary.proof_values(proof)))
        return
    name, start = shown(proof.rules.name), proof.start.fen()
    output.echo_sentence(f"yes: in {name}, {proof.winner} wins within {proof.plies} plies from {start}")
    output.echo_sentence(f"checked: {len(proof.answers)} positions, and every reply in each of them")
