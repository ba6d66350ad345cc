"""A fact of a game is declared once: as a field or property of its record, and as a column of the same name."""

import json
from contextlib import closing
from dataclasses import fields

from results.export import CSV_HEADER, JSON_KEYS, jsonl
from results.record import GameRecord
from results.store import files, rows
from tests.results.made import GAME


def test_each_fact_of_a_game_has_its_column() -> None:
    """The table of games has the columns that are written, two that the store adds, and one that only 0.4 wrote."""
    with closing(files.in_memory()) as db:
        names = {name for _, name, *_ in db.execute("PRAGMA table_info(games)")}
    assert names == {*rows.GAME_COLUMNS, "seq"}


def test_each_field_of_a_record_is_exported() -> None:
    """Or a new fact of a game would be lost on its way through a file. The rules tell the number of the first ply."""
    converted = {"plies": "ply_data"}
    names = {converted.get(field.name, field.name) for field in fields(GameRecord)}
    assert names - {"start_ply"} <= set(JSON_KEYS)
    assert tuple(json.loads(json.dumps(jsonl(GAME)))) == JSON_KEYS


def test_the_headings_of_the_csv_are_columns_of_the_table() -> None:
    """Who knows one knows the other."""
    assert set(CSV_HEADER) <= set(rows.GAME_COLUMNS)
