"""Compares the rules of Ludii with ours on random games, by the answers of its adapter to queries.

    python -m engines.adapters.compare_ludii java -Xmx1g -cp Ludii.jar engines/adapters/Ludii.java

At each ply of each game the legal moves and the result are compared. Any engine that answers `query legalmoves` and
`query result` can stand in the place of Ludii.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from arena.games import game_words, variants
from arena.games.game import Game
from engines.adapters import command_line
from engines.adapters.line_process import CannotStart, ProgramFailed
from engines.adapters.ugi_client import UgiClient

_BY_ADAPTER = ("repetition", "no-turn", "no-move")
_SHOWN = 5
"""How many moves of a difference are shown."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first position of a game in which the two rules differ."""

    moves: tuple[str, ...]
    """The moves from the start position."""
    what: str

    def __str__(self) -> str:
        return f"after {' '.join(self.moves) or 'no move'}: {self.what}"


@dataclass(slots=True)
class Comparison:
    """What was compared in one variant."""

    variant: str
    games: int = 0
    positions: int = 0
    by_adapter: int = 0
    """Games that ended in a way that the adapter sees and Ludii may not: by repetition, or for want of a move."""
    differences: list[Difference] = field(default_factory=list)

    def line(self) -> str:
        """The comparison in one line."""
        count = len(self.differences)
        differing = "no difference" if not count else f"{count} game{'s' * (count != 1)} with a difference"
        ended = f", {self.by_adapter} ended by the adapter" if self.by_adapter else ""
        return f"{self.variant}: {self.games} games{ended}, {self.positions} positions, {differing}"


def compare(engine: UgiClient, variant: str, games: int, seed: int, plies: int) -> Comparison:
    """Play random games by our rules and ask the engine about each of their positions."""
    comparison = Comparison(variant)
    engine.set("UGI_Variant", variant)
    engine.send("uginewgame")
    engine.ready()
    for number in range(games):
        chance = Random(f"{seed} {variant} {number}")
        game = Game(*variants.resolve(variant))
        difference = None
        while difference is None:
            comparison.positions += 1
            difference = _difference(engine, game)
            if game.outcome is not None or len(game.moves) >= plies:
                break
            game.play(chance.choice(game.position.moves()).text)
        comparison.games += 1
        comparison.by_adapter += game.outcome is not None and game.outcome.reason in _BY_ADAPTER
        if difference is not None:
            comparison.differences.append(difference)
    return comparison


def _difference(engine: UgiClient, game: Game) -> Difference | None:
    moves = tuple(game.moves)
    engine.send(f"position startpos{' moves ' * bool(moves)}{' '.join(moves)}")
    ours, theirs = game_words.result_word(game), engine.ask("result")
    if ours != theirs:
        return Difference(moves, f"our result is {ours}, theirs {theirs or 'none that we can read'}")
    our_moves, their_moves = set(game_words.legal_words(game)), set(engine.ask("legalmoves").split()[1:])
    if our_moves == their_moves:
        return None
    return Difference(
        moves, f"ours only: {_some(our_moves - their_moves)}; theirs only: {_some(their_moves - our_moves)}"
    )


def _some(moves: set[str]) -> str:
    words = " ".join(sorted(moves)[:_SHOWN]) or "none"
    return words + (f" and {len(moves) - _SHOWN} more" if len(moves) > _SHOWN else "")


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print a line for each variant, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m engines.adapters.compare_ludii",
        description="Compare Ludii's rules with ours on random games. Exit code 1: they differ; 2: bad input.",
    )
    parser.add_argument("--games", type=int, default=20, metavar="N", help="games for each variant (default 20)")
    parser.add_argument("--plies", type=int, default=400, metavar="N", help="the longest game (default 400)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the games (default 1)")
    parser.add_argument(
        "--variant", action="append", metavar="NAME", help="a variant; repeat for more (default: all that it announces)"
    )
    options = command_line.parsed(parser, arguments, "python -m engines.adapters.ludii Ludii.jar")
    if options.games < 1 or options.plies < 1:
        parser.error("--games and --plies must be at least 1")
    try:
        engine = UgiClient(options.command)
    except CannotStart as error:
        parser.error(str(error))
    except ProgramFailed as error:
        parser.error(f"{error}: is this the command of an engine?")
    differ = False
    try:
        announced = engine.choices.get("UGI_Variant", ())
        wanted = options.variant or [name for name in announced if name in variants.names()]
        if unknown := [name for name in wanted if name not in announced or name not in variants.names()]:
            parser.error(f"the engine does not announce {unknown[0]}; it has {', '.join(announced) or 'no variants'}")
        for name in wanted:
            comparison = compare(engine, name, options.games, options.seed, options.plies)
            print(comparison.line(), flush=True)
            for difference in comparison.differences:
                print(f"  {difference}", flush=True)
            differ = differ or bool(comparison.differences)
    except ProgramFailed as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    finally:
        engine.close()
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
