"""The rules against a second, plain version of them, move by move, on every variant and on boards drawn by chance."""

import random

import pytest

from arena.games.callanish.kind import SHAPES as CALLANISH
from arena.games.callanish.rules import CallanishPosition, CallanishRules
from arena.games.rules import Rules
from arena.games.tafl.rules import TaflPosition, TaflRules
from arena.games.tafl.variants import OPTION_VALUES, TAFL, RuleOptions, conflict
from arena.games.variants import find, names
from tests.arena.games.slow import SlowCallanish, SlowTafl


def lockstep(rules: Rules, fen: str, chance: random.Random, plies: int, words_a_ply: int = 500) -> str | None:
    """Play a playout with both versions and compare all there is; how the game ended, None if it has not.

    At each ply all words of the board are looked up, or so many of them.
    """
    quick = rules.parse(fen)
    slow: SlowCallanish | SlowTafl
    if isinstance(rules, CallanishRules):
        slow = SlowCallanish.parse(quick.fen(), rules.supply)
    else:
        assert isinstance(rules, TaflRules)
        slow = SlowTafl.parse(quick.fen(), dict(rules.options.items()))
    playout = quick.playout(chance, plies)
    ending = playout.outcome and (playout.outcome.winner, playout.outcome.reason)
    words = [move.text for move in playout.moves]
    for number in range(plies):
        assert isinstance(quick, CallanishPosition | TaflPosition)
        legal = [move.text for move in quick.legal_moves()]
        story = f"{rules.name}: {slow.fen()}"
        assert legal == slow.legal(), story
        assert sorted(move.text for move in quick.moves()) == legal, story
        assert quick.fen() == slow.fen(), story
        assert (quick.outcome and (quick.outcome.winner, quick.outcome.reason)) == slow.ending, story
        every = list(quick.board.words)
        some = random.Random(number).sample(every, min(words_a_ply, len(every)))
        found = map(quick.find, some + legal)
        assert {move.text for move in found if move is not None} == set(legal), story
        if slow.ending is None:
            assert rules.parse(slow.fen()) == quick, story
        if not legal:
            assert (ending, len(words)) == (slow.ending, number), story
            return slow.ending and slow.ending[1]
        word = words[number]
        move = quick.find(word)
        assert move is not None, story
        quick, slow = quick.play(move), slow.play(word)
    assert ending == slow.ending, slow.fen()
    return None


def more(few: int, many: int) -> pytest.MarkDecorator:
    """So many by default, so many more in the long tests."""
    return pytest.mark.parametrize("count", [few, pytest.param(many, marks=pytest.mark.long)])


@more(1, 4)
def test_random_games_agree_with_the_plain_version(count: int) -> None:
    """In every variant, or in each third, both versions have the same moves, boards and endings in random games."""
    for variant in names()[:: 1 if count > 1 else 3]:
        rules, chance = find(variant), random.Random(f"{variant} {count}")
        side = len(rules.start().fen().split("/"))
        for _ in range(count):
            plies = 30 if side <= 9 else 6 if side <= 11 or count > 1 else 1
            lockstep(rules, rules.start().fen(), chance, plies, 500 if count > 1 else 20)


@more(20, 600)
def test_drawn_callanish_boards_agree_with_the_plain_version(count: int) -> None:
    """Boards of any shape, with holes, stacks, one-sided starts and a supply are judged alike by both versions."""
    chance = random.Random(count)
    endings = set()
    for _ in range(count):
        width, height = chance.randint(2, 9), chance.randint(2, 9)
        weights = [
            chance.randint(5, 30),
            chance.choice((0, 1, 4)),
            chance.choice((0, 1, 4)),
            1,
            1,
            chance.choice((0, 4)),
        ]
        rows = ["".join(chance.choices(".wbWB*", weights, k=width)) for _ in range(height)]
        if sum(letter != "*" for row in rows for letter in row) < 2:
            continue
        board = "/".join("".join("1" if letter == "." else letter for letter in row) for row in rows)
        rules = find("callanish", chance.choice(("", "", f"supply={chance.randint(1, 12)}")))
        board = SlowCallanish.parse(f"{_runs(board)} p1 1").fen().split()[0]
        endings.add(lockstep(rules, f"{board} {chance.choice(('p1', 'p2'))} {chance.randint(1, 30)}", chance, 12))
    assert {"line", "no-turn"} <= endings


@more(8, 400)
def test_tafl_with_random_rule_options_and_boards_agrees_with_the_plain_version(count: int) -> None:
    """Any mixture of rule options on any board is judged alike by both versions."""
    chance = random.Random(count)
    endings = set()
    for _ in range(count):
        base = chance.choice(["brandub", "tablut-ashton", "tablut-ashton", "copenhagen"])
        size = len(TAFL[base].start.split("/"))
        options = dict.fromkeys(OPTION_VALUES, "")
        while "" in options.values() or conflict(RuleOptions().changed(options), size):
            options = {
                option: chance.choice(("any", "1", "2", "3") if option.endswith("steps") else values)
                for option, values in OPTION_VALUES.items()
            }
        rules = find(base, " ".join(f"{option}={value}" for option, value in options.items()))
        assert isinstance(rules, TaflRules)
        men, crowd = chance.choice(((4, 2), (2, 2), (1, 3))), chance.choice((0.2, 1, 4, 12))
        letters = chance.choices(".ad", (crowd, *men), k=size * size)
        # Not on the edge with `escape=edge`, and never on a corner: there he would have escaped already.
        rank = chance.choice((0, chance.randrange(1, size - 1))) if options["escape"] == "corner" else size // 2
        letters[rank * size + chance.randrange(1, size - 1)] = "k"
        rows = ["".join(letters[start : start + size]) for start in range(0, size * size, size)]
        board = "/".join(_runs(row.replace(".", "1")) for row in rows)
        endings.add(lockstep(rules, f"{board} {chance.choice(('p1', 'p2'))} 1", chance, 10, count))
    assert len(endings) > 1 and ({"king-escaped", "king-captured", "no-move"} <= endings or count == 8)


def test_every_callanish_shape_has_a_second_version_of_its_needs() -> None:
    """A named board needs half of each line, rounded up, and no more lines than it has files and ranks."""
    for name, shape in CALLANISH.items():
        position = find(name).start()
        assert isinstance(position, CallanishPosition)
        needs = [need for _, need in SlowCallanish.parse(position.fen()).rules.lines]
        assert list(position.board.needs) == needs and len(needs) == shape.width + shape.height


def _runs(board: str) -> str:
    """Join ones that stand side by side into one run."""
    joined, run = "", 0
    for letter in board + " ":
        if letter == "1":
            run += 1
        else:
            joined += (str(run) if run else "") + letter
            run = 0
    return joined.strip()
