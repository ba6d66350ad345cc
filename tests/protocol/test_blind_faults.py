"""The table of faults and the engine that commits them speak of the same faults."""

import ast
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parents[1] / "zoo" / "mutants"


def table() -> ModuleType:
    spec = importlib.util.spec_from_file_location("blind_faults", HERE / "blind_faults.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_table_and_the_engine_name_the_same_faults() -> None:
    """Each fault of the table has a switch in the engine, and each switch has a row in the table."""
    texts = {
        node.value
        for node in ast.walk(ast.parse((HERE / "blind.py").read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    names = [fault.name for fault in table().FAULTS]
    assert len(names) == len(set(names))
    assert set(names) <= texts
    switches = set(re.findall(r'fault\(\s*"([^"]+)"', (HERE / "blind.py").read_text()))
    assert switches <= set(names)


def test_each_fault_cites_a_clause_of_the_specification() -> None:
    """The clause of each fault is one that SPEC.md has."""
    spec = (HERE.parents[2] / "protocol" / "SPEC.md").read_text()
    clauses = set(re.findall(r'<a id="([^"]+)">', spec))
    assert {fault.clause for fault in table().FAULTS} <= clauses


def test_the_faults_are_many_and_half_of_them_lie_in_rules() -> None:
    """There are at least 110 faults, and at least 55 of them are faults of a rule."""
    faults = table().FAULTS
    assert len(faults) >= 110
    assert sum(fault.rule for fault in faults) >= 55
