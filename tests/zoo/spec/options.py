"""The options and how they are announced."""

import re
from typing import NamedTuple

from tests.zoo.spec.rules import Fault, Impossible
from tests.zoo.spec.variants import KNOBS, VARIANTS


class Option(NamedTuple):
    name: str
    kind: str
    default: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    def line(self, fault: Fault) -> str:
        if self.kind == "button":
            return f"option name {self.name} type button" + (" default false" if fault("button-with-default") else "")
        default = self.default
        if self.name == "UGI_Variant" and fault("default-is-no-choice"):
            default = "standard"
        shown = default if default or fault("empty-default-left-out") else "<empty>"
        text = f"option name {self.name} type {self.kind} default {shown}".rstrip()
        if self.kind == "spin" and not (fault("spin-without-range") and self.name == "Hash"):
            text += f" min {self.low} max {self.high}"
        if self.kind == "combo":
            text += "".join(f" var {value}" for value in self.choices)
        return text

    def takes(self, value: str) -> bool:
        if self.kind == "spin":
            return bool(re.fullmatch("-?[0-9]{1,12}", value)) and self.low <= int(value) <= self.high
        if self.kind == "combo":
            return value in self.choices
        if self.kind == "check":
            return value in ("true", "false")
        return True


def all_options(fault: Fault) -> tuple[Option, ...]:
    queries = "legalmoves islegal fen perft"
    return (
        Option("UGI_Variant", "combo", "callanish-9", choices=VARIANTS),
        Option("UGI_Rules", "string", ""),
        Option("UGI_Queries", "string", queries + (" movenumber" if fault("queries-names-too-much") else "")),
        Option("Seed", "spin", "1", 0, 2**31 - 1),
        Option("Hash", "spin", "16", 1, 1024),
        Option("Move Overhead", "spin", "15", 0, 1000),
        Option("Clear Hash", "button", ""),
        Option("OwnBook", "check", "false"),
        Option("UGI_MovesToGo", "check", "true"),
        Option("UGI_Resign", "check", "false"),
        Option("UGI_Draw", "check", "false"),
        Option("UGI_GameOver", "check", "true"),
    )


def read_knobs(text: str, known: dict[str, str] = KNOBS) -> dict[str, str]:
    knobs = {}
    for pair in text.split():
        knob, _, value = pair.partition("=")
        if knob not in known or not re.fullmatch(known[knob], value):
            raise Impossible(f"UGI_Rules takes no {pair[:40]}")
        knobs[knob] = value
    return knobs
