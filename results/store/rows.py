"""How a game, a run and a player lie in a row of the results file, in columns that people can query.

Plain functions between values and tuples. Refuses to know connections, files and versions of the schema.
"""

import json
from dataclasses import asdict, replace
from typing import Any

from results.plies import Plies, join_moves
from results.record import Evidence, GameRecord, Player, Run, Termination, line_digest

Row = tuple[Any, ...]

GAME_COLUMNS = (
    "id, run, number, round, variant, p1, p2, winner, termination, detail, fen, opening, moves, plies, ply_count, tc, "
    "seed, started_at, wall_ms, host, clock, measured, flagged, machine, burns_idle, p1_idle_us, p2_idle_us, evidence"
)
WRITTEN_COLUMNS = f"{GAME_COLUMNS}, line, disputed, cell"
"""What follows from a game, or is the store's own, is not read back."""
RUN_COLUMNS = "id, name, kind, created_at, config, seed, games, host, versions"
PLAYER_COLUMNS = "name, version, author, command, sha256, family"
KEY_COLUMNS = "run, variant, tc, p1, p2, winner, termination, flagged, machine, burns_idle"
"""What games have in common that are counted together; `winner` is empty there where nobody won."""
_NAMES = WRITTEN_COLUMNS.split(", ")
LINE = _NAMES.index("line")
_WINNER = _NAMES.index("winner")
PLAYED = tuple(_NAMES.index(name) for name in ("line", "winner", "termination"))
"""Where what tells whether two games are the same one stands."""
_KEY = tuple(_NAMES.index(name) for name in KEY_COLUMNS.split(", "))


def marks(columns: str) -> str:
    """As many question marks as there are columns."""
    return ", ".join("?" * (columns.count(",") + 1))


def from_game(record: GameRecord) -> Row:
    """In the order of WRITTEN_COLUMNS, without `cell`.

    Raises ValueError for a move that is no single word: it could not be read back.
    """
    try:
        plies, opening = Plies.of(record.plies), join_moves(record.opening)
    except ValueError as error:
        raise ValueError(f"game {record.id}: {error}") from error
    if plies is not record.plies:
        record = replace(record, plies=plies)  # so that they are sealed once and not for each sum
    moves = f"{opening} {plies.words}" if opening and plies.words else opening or plies.words
    return (
        record.id,
        record.run,
        record.number,
        record.round,
        record.variant,
        record.p1,
        record.p2,
        record.winner,
        record.termination.value,
        record.detail,
        record.fen,
        opening,
        moves,
        plies.costs,
        len(record.opening) + len(plies),
        record.tc,
        record.seed,
        record.started_at,
        record.wall_ms,
        record.host,
        record.clock,
        record.measured,
        record.flagged,
        record.machine,
        " ".join(record.burns_idle),
        record.p1_idle_us,
        record.p2_idle_us,
        None if record.evidence is None else json.dumps(asdict(record.evidence)),
        line_digest(record.variant, record.fen, moves),
        plies.sums.disputed,
    )


def key_of(row: Row) -> Row:
    """What a game is counted under, in the order of KEY_COLUMNS, from what `from_game` gave."""
    return tuple((row[at] or "") if at == _WINNER else row[at] for at in _KEY)


def to_game(row: Row) -> GameRecord:
    """From a row in the order of GAME_COLUMNS."""
    (id_, _, number, round_, variant, p1, p2, winner, termination, detail) = row[:10]
    (fen, opening, moves, plies, _, tc, seed, started_at, wall_ms, host) = row[10:20]
    (clock, measured, _, _, _, p1_idle_us, p2_idle_us, evidence) = row[20:]
    before = tuple(opening.split())
    return GameRecord(
        id=id_,
        number=number,
        round=round_,
        variant=variant,
        p1=p1,
        p2=p2,
        fen=fen,
        opening=before,
        plies=Plies(" ".join(moves.split()[len(before) :]), plies),
        winner=winner,
        termination=Termination(termination),
        detail=detail,
        tc=tc,
        seed=seed,
        started_at=started_at,
        wall_ms=wall_ms,
        host=host,
        clock=clock,
        measured=bool(measured),
        p1_idle_us=p1_idle_us,
        p2_idle_us=p2_idle_us,
        evidence=None if evidence is None else _evidence(json.loads(evidence)),
    )


def _evidence(values: dict[str, Any]) -> Evidence:
    return Evidence(**{**values, "transcript": tuple(values["transcript"])})


def from_run(run: Run) -> Row:
    """In the order of RUN_COLUMNS."""
    return (
        run.id,
        run.name,
        run.kind,
        run.created_at,
        run.config,
        run.seed,
        run.games,
        run.host,
        run.versions,
    )


def from_player(player: Player) -> Row:
    """In the order of PLAYER_COLUMNS."""
    return (player.name, player.version, player.author, json.dumps(player.command), player.sha256, player.family)


def to_player(row: Row) -> Player:
    """From a row in the order of PLAYER_COLUMNS."""
    name, version, author, command, sha256, family = row
    return Player(name, version, author, tuple(json.loads(command)), sha256, family)
