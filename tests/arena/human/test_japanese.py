"""The Japanese of a game with people: each sentence that is said has one, with the same values."""

import ast
import re
from pathlib import Path

from arena.games import move_rules
from arena.human import choice, hosted_game, hosted_games, sentences, terminal
from arena.rulebook.translation import japanese
from protocol.faults import Fault

JAPANESE = japanese("arena.human")
SPEAKERS = (choice, hosted_game, hosted_games, move_rules, sentences, terminal)
_SPOKEN = {"say", "_say", "_ask", "MoveRule", "HostedRefused"}


def texts(path: str) -> set[str]:
    """Each text of a module that has a sentence's place: an argument of a function that says it, or a constant."""
    found = set()
    for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in _SPOKEN:
                found |= {each.value for each in node.args if isinstance(each, ast.Constant)}
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "text":
            found |= {each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant)}
    return {text for text in found if isinstance(text, str)}


def test_every_sentence_has_its_japanese() -> None:
    """What a terminal and a server say, what the sentences are made of, and why a move is illegal."""
    said = {text for module in SPEAKERS for text in texts(str(module.__file__))}
    said -= {
        rule.clause
        for rule in [move_rules.MoveRule(clause, "") for clause in ("A.3", "A.4", "A.9", "A.11", "A.17", "5.4", "")]
    }
    said |= {fault.value for fault in Fault} | set(sentences._REASONS.values()) | set(sentences._UNDO.values())
    said |= {text for _, text in sentences._COMMANDS if text}
    assert len(said) > 90 and not said - JAPANESE.keys()


def test_both_languages_have_the_same_values() -> None:
    """A brace that the translation lacks, or has more, would fail when it is said."""
    braces = re.compile(r"{(\w+)}")
    assert not [text for text, other in JAPANESE.items() if set(braces.findall(text)) ^ set(braces.findall(other))]
