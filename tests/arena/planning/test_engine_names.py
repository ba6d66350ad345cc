"""What engines are called that nobody gave a name: a rule over plain values, and one run that goes on."""

from collections.abc import Collection
from pathlib import Path

import pytest

from arena.config.load import unique
from arena.formats.registry import FormatConfig
from arena.openings.books import Start
from arena.planning.introductions import LONGEST, renamed
from arena.planning.plan import Plan
from arena.play.jobs import EngineSpec, Terms
from arena.timing.time_control import fixed
from protocol.session import Identity
from tests import plans

Stored = set[tuple[str, tuple[str, ...]]]


def plan_of(*specs: EngineSpec) -> Plan:
    """A match of these engines."""
    terms = Terms(fixed("nodes", 1), max_plies=4)
    engines = unique(specs)
    title = " against ".join(spec.name for spec in engines)
    start = (Start("callanish-5"),)
    return plans.plan("match", title, engines, start, 0, 1, terms, FormatConfig(rounds=1))


def unnamed(path: str) -> EngineSpec:
    return EngineSpec(Path(path).stem, (path,), named=False)


def names(*specs: EngineSpec, said: dict[str, str], stored: Collection[tuple[str, str]] = ()) -> list[str]:
    """The names of a match of these engines, beside a database with these names and programs."""
    found: Stored = {(name, (program,)) for name, program in stored}
    plan = plan_of(*specs)
    met = {spec.start_key: (Identity(said.get(spec.name, ""), "", "", {}), "") for spec in plan.engines}
    plan = renamed(plan, met, lambda wanted: {one for one in found if one[0] in wanted})
    assert plan.name == " against ".join(spec.name for spec in plan.engines)
    return [spec.name for spec in plan.engines]


def test_an_engine_is_called_what_it_calls_itself() -> None:
    """A name that the user gave stays; an engine that says nothing of itself has its file's name."""
    said = {"a": "Fox 1.0", "b": "Owl", "c": ""}
    assert names(unnamed("/x/a"), unnamed("/x/b"), said=said) == ["Fox 1.0", "Owl"]
    assert names(EngineSpec("a", ("/x/a",)), unnamed("/x/c"), said=said) == ["a", "c"]


def test_two_programs_of_one_name_are_told_apart_by_their_files() -> None:
    """Both of them, so that nobody must guess which one is meant; files of one name get a number."""
    assert names(unnamed("/x/new"), unnamed("/x/old"), said={"new": "Fox", "old": "Fox"}) == ["new", "old"]
    assert names(unnamed("/x/fox"), unnamed("/y/fox"), said={"fox": "Fox", "fox-2": "Fox"}) == ["fox", "fox-2"]
    assert names(unnamed("/x/a"), EngineSpec("Fox", ("/x/b",)), said={"a": "Fox", "Fox": "Fox"}) == ["a", "Fox"]


def test_a_database_keeps_the_names_that_it_has() -> None:
    """A program keeps its name there, also one from before; another one of the same name has its file's name."""
    a, rival = unnamed("/x/a"), EngineSpec("owl", ("/x/owl",))
    said = {"a": "Fox", "owl": "Owl"}
    assert names(a, rival, said=said, stored=[("Fox", "/x/a")]) == ["Fox", "owl"]
    assert names(a, rival, said=said, stored=[("a", "/x/a")]) == ["a", "owl"]
    assert names(a, rival, said=said, stored=[("Fox", "/x/older")]) == ["a", "owl"]
    assert names(a, rival, said=said, stored=[("Fox", "/x/a"), ("Fox", "/x/older")]) == ["Fox", "owl"]
    assert names(a, rival, said=said, stored=[("Fox", "/x/older"), ("a", "/x/a")]) == ["a", "owl"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("  Fox\x1b[31m ", "Fox?[31m"), ("\x00", "?"), ("   ", "a"), ("狐 3", "狐 3"), ("x" * 500, "x" * LONGEST)],
)
def test_a_name_fits_in_a_table(text: str, shown: str) -> None:
    """Control characters are replaced, a long one is cut, an empty one is none."""
    assert names(unnamed("/x/a"), EngineSpec("owl", ("/x/owl",)), said={"a": text})[0] == shown
