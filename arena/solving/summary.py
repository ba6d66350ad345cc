"""What a search of a start has come to: in sentences, and as values for JSON."""

from collections.abc import Iterator, Sequence

from arena.solving.proof import Proof
from arena.solving.solve import FirstMove, Solver


def values(solver: Solver, proof: Proof | None, first: Sequence[FirstMove], seconds: float) -> dict[str, object]:
    """The value of the start, as far as it is known; `first` are its first moves, `seconds` those of this search."""
    win = solver.win
    return {
        "variant": solver.rules.name,
        "start": solver.start.fen(),
        "winner": None if win is None else win.side,
        "plies": None if win is None else win.plies,
        "no_win_within": solver.no_win,
        "first_moves": [{"move": move.move, "plies": move.plies or None} for move in first],
        "nodes": solver.nodes,
        "seconds": round(seconds, 3),
        "symmetries": list(solver.search.symmetries),
        "proof_positions": None if proof is None else len(proof.answers),
    }


def sentences(solver: Solver, name: str, first: Sequence[FirstMove], seconds: float) -> Iterator[str]:
    """The same for people. `name` is that of the variant."""
    if solver.win is None:
        yield f"{name}: not solved"
        yield from no_wins(solver)
    else:
        side, plies = solver.win
        yield f"{name}: {side} wins within {plies} plies, and no sooner against best play"
    if first and solver.win is not None and solver.win.side == solver.start.side:
        yield f"first moves that win so soon: {', '.join(move.move for move in first if move.plies)}"
    elif first:
        plies_of = ", ".join(f"{move.move} {move.plies}" for move in first)
        yield f"plies from the start by first move, up to symmetry: {plies_of}"
    yield f"searched: {solver.nodes} nodes, this time in {seconds:.1f} s"


def no_wins(solver: Solver) -> Iterator[str]:
    """For each side, within how many plies it has no forced win."""
    for side, plies in solver.no_win.items():
        yield f"{side} has no forced win within {plies} plies"


def proof_values(proof: Proof) -> dict[str, object]:
    """What a checked proof says."""
    proven = {"proven": True, "variant": proof.rules.name, "start": proof.start.fen(), "winner": proof.winner}
    return {**proven, "plies": proof.plies, "positions": len(proof.answers)}


def counted(number: int) -> str:
    """`9999`, `12 k`, `3.4 M`."""
    if number < 10_000:
        return str(number)
    return f"{number / 1000:.0f} k" if number < 1_000_000 else f"{number / 1e6:.1f} M"
