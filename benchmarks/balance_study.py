"""Plays the study of BALANCE_STUDY.md and writes its tables: `python -m benchmarks.balance_study play games.csv`.

    python -m benchmarks.balance_study play games.csv --minutes 60   # plays what is missing
    python -m benchmarks.balance_study count games.csv               # writes the counts, studies/balance_study.json
    python -m benchmarks.balance_study page                          # writes the tables of the page from the counts

`play` may be stopped and started again. It plays all games of few nodes first. All variants go on at the same pace.
`--variant` plays only some of them; `count` keeps the counts of the variants that the file does not have.
"""

import argparse
import csv
import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from itertools import count as count_from
from pathlib import Path

from benchmarks.studies.balance_games import LONG, Played, play
from benchmarks.studies.balance_page import EVALUATIONS, Cell, Study, load, save, write_page
from engines.scores import mate_plies
from engines.tuning.selfplay import table_of
from results.tally import Tally

VARIANTS = (
    "scottish",
    "scottish-armed",
    "scottish-king1",
    "scottish-king2",
    "scottish-king3",
    "brandub",
    "brandub-nielsen",
    "ard-ri",
    "sea-battle-9",
    "callanish-7",
    "callanish-9",
    "callanish-corners",
    "copenhagen",
    "tablut-saami",
    "tablut-ashton",
)
UNARMED = ("scottish:king_steps=1", "scottish:king_steps=2", "scottish:king_steps=3")
"""Kings beside the question, with the fewest nodes only."""
NODES = (1_000, 10_000, 100_000)
Task = tuple[str, str, int, int]


def tasks(games: int, chosen: Sequence[str], most_nodes: int) -> Iterator[Task]:
    """All games of the study with the chosen variants, in the order in which they are played."""
    for nodes in [each for each in NODES if each <= most_nodes]:
        for number in range(games):
            for variant in (*VARIANTS, *UNARMED) if nodes == NODES[0] else VARIANTS:
                for evaluation in EVALUATIONS if variant in chosen else ():
                    yield variant, evaluation, nodes, number


def play_missing(target: Path, wanted: Iterator[Task], minutes: float, workers: int) -> None:
    """Play what the file does not have, until the time is over. A line is written when its game has ended."""
    known = {(game.variant, game.evaluation, game.nodes, game.number) for game in read(target)}
    missing = [task for task in wanted if task not in known]
    print(f"{len(missing)} games to play, {len(known)} already there", flush=True)
    end = time.monotonic() + 60 * minutes
    # Linux divides a busy machine among sessions; in one session all workers together would get the share of one.
    with multiprocessing.Pool(workers, os.setsid) as pool, target.open("a", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        for done, game in enumerate(pool.imap_unordered(_play, missing), 1):
            lines.writerow(game)
            file.flush()
            if done % 200 == 0:
                print(f"{done} of {len(missing)} games", flush=True)
            if time.monotonic() > end:
                print("the time is over; the same command goes on")
                break


def _play(task: Task) -> Played:
    return play(*task)


def read(source: Path) -> list[Played]:
    """The games of a file; none if there is no file."""
    if not source.exists():
        return []
    with source.open(encoding="utf-8", newline="") as file:
        return [
            Played(variant, evaluation, int(nodes), int(number), winner, end, int(plies), announced, line)
            for variant, evaluation, nodes, number, winner, end, plies, announced, line in csv.reader(file)
        ]


def count(source: Path, nodes: int) -> None:
    """Count the games of the file and search their start positions. Other variants keep the counts that they have."""
    games, studies = read(source), {study.variant: study for study in load()}
    names = [name for name in (*VARIANTS, *UNARMED) if any(game.variant == name for game in games)]
    if nodes:
        with multiprocessing.Pool(initializer=os.setsid) as pool:
            starts = dict(zip(names, pool.starmap(start, [(name, nodes) for name in names]), strict=True))
    else:
        starts = {name: study.start for name, study in studies.items()}
    for variant in names:
        cells = []
        for evaluation in EVALUATIONS:
            for limit in NODES:
                key = (variant, evaluation, limit)
                cells.append(_cell(evaluation, limit, _unbroken([game for game in games if game[:3] == key])))
        studies[variant] = Study(variant, tuple(cells), starts[variant])
    save([studies[name] for name in (*VARIANTS, *UNARMED) if name in studies])


def _unbroken(games: Sequence[Played]) -> list[Played]:
    """The games before the first that is missing. Where `play` was stopped, long games are missing, and short ones are
    there: to count those would favour whoever wins quickly."""
    by_number = {game.number: game for game in games}
    first_missing = next(number for number in count_from(0) if number not in by_number)
    return [by_number[number] for number in range(first_missing)]


def _cell(evaluation: str, nodes: int, games: Sequence[Played]) -> Cell:
    distinct = {game.line: game for game in games}.values()
    won = {winner: sum(game.winner == winner for game in distinct) for winner in ("p1", "draw", "p2")}
    announced = sum(bool(game.announced) for game in games)
    long = sum(game.end == LONG for game in distinct)
    return Cell(evaluation, nodes, Tally(won["p1"], won["draw"], won["p2"]), len(games), announced, long)


def start(variant: str, nodes: int) -> str:
    """What a long search says of the start position."""
    table = table_of(variant)
    report = table.kernel().think(table.player.words(table.start), [], table.limits(nodes, 1))
    side = "p1" if report.score > 0 else "p2"
    mate = mate_plies(report.score)
    what = f"no forced win found, {report.score:+d} for p1" if mate is None else f"{side} wins in {abs(mate)} plies"
    return f"{what}; depth {report.depth}, {report.nodes / 1e6:.0f} million nodes"


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.balance_study", description=(__doc__ or "").split("`")[0]
    )
    steps = parser.add_subparsers(dest="step", required=True)
    played = steps.add_parser("play", help="play what is missing")
    played.add_argument("file", type=Path)
    played.add_argument("--games", type=int, default=100, help="games of each evaluation on each rung")
    played.add_argument("--most-nodes", type=int, default=NODES[-1], help="leave out the rungs above")
    played.add_argument("--variant", action="append", choices=(*VARIANTS, *UNARMED), help="only these, once for each")
    played.add_argument("--minutes", type=float, default=60)
    played.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    counted = steps.add_parser("count", help="write the counts")
    counted.add_argument("file", type=Path)
    counted.add_argument(
        "--nodes", type=int, default=20_000_000, help="nodes for each start position; 0 keeps what is known"
    )
    steps.add_parser("page", help="write the tables of the page")
    told = parser.parse_args(words)
    if told.step == "page":
        write_page()
    elif told.step == "play":
        wanted = tasks(told.games, told.variant or (*VARIANTS, *UNARMED), told.most_nodes)
        play_missing(told.file, wanted, told.minutes, told.workers)
    else:
        count(told.file, told.nodes)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
