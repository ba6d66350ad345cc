"""All faults by name and by group, and their list as text and as values for JSON."""

from types import ModuleType

from tests.zoo.faults import (
    burning,
    files,
    hostile,
    lines,
    moves,
    process,
    timing,
)
from tests.zoo.faults.fault import Faulty

_GROUPS: dict[str, ModuleType] = {
    "process": process,
    "lines": lines,
    "moves": moves,
    "timing": timing,
    "burning": burning,
    "hostile": hostile,
    "files": files,
}


def _faults(module: ModuleType) -> dict[str, type[Faulty]]:
    """The faults of a module: its subclasses of Faulty that are not abstract."""
    return {
        thing.name: thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Faulty) and thing.name and thing.__module__ == module.__name__
    }


GROUPS: dict[str, dict[str, type[Faulty]]] = {group: _faults(module) for group, module in _GROUPS.items()}
FAULTS: dict[str, type[Faulty]] = {name: fault for group in GROUPS.values() for name, fault in group.items()}


def sentence(fault: type[Faulty]) -> str:
    """The sentence that says what the fault does."""
    return " ".join((fault.__doc__ or "").split())


def verdicts(fault: type[Faulty]) -> str:
    """The phases and their verdicts, the default first: `first mid: time; ready: stall`."""
    by_verdict: dict[str, list[str]] = {}
    for phase, verdict in fault.verdicts:
        by_verdict.setdefault(verdict, []).append(phase)
    return "; ".join(f"{' '.join(phases)}: {verdict}" for verdict, phases in by_verdict.items())


def as_text() -> str:
    """One line for each fault: name, verdicts by phase, sentence."""
    rows = [(name, verdicts(fault), sentence(fault)) for name, fault in FAULTS.items()]
    return "\n".join(f"{name:20} {expected} - {text}" for name, expected, text in rows)


def as_values() -> list[dict[str, object]]:
    """The list for JSON: name, group, sentence, options, default phase, verdict at each phase."""
    return [
        {
            "name": name,
            "group": group,
            "sentence": sentence(fault),
            "options": [f"--{option}" for option in fault.takes],
            "needs": [f"--{option}" for option in fault.needs],
            "at": fault.verdicts[0][0],
            "verdicts": {phase: str(verdict) for phase, verdict in fault.verdicts},
        }
        for group, faults in GROUPS.items()
        for name, fault in faults.items()
    ]
