"""A small reader of ABNF (RFC 5234, with the %s of RFC 7405): each rule becomes a regular expression over bytes.

A rule that needs itself, incremental alternatives (`=/`) and prose are refused.
"""

import re
from collections.abc import Mapping

CORE = """
CR = %x0D
DIGIT = %x30-39
LF = %x0A
SP = %x20
VCHAR = %x21-7E
"""
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>(?:%s)?"[^"]*")|(?P<bytes>%x[0-9A-F]{2}(?:-[0-9A-F]{2})?)"""
    r"""|(?P<name>[A-Za-z][A-Za-z0-9-]*)|(?P<times>\d*\*\d*|\d+)|(?P<sign>[()\[\]/]))"""
)


class BadGrammar(Exception):
    """The text is no ABNF that this reader knows."""


def read(text: str) -> dict[str, str]:
    """The elements of each rule, by its name. A line that begins with a blank goes on with the rule before."""
    rules: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        # No text of ours has a semicolon, so a comment begins at the first one.
        plain = line.partition(";")[0].rstrip()
        if not plain:
            continue
        if not plain[0].isspace():
            name, equals, plain = (part.strip() for part in plain.partition("="))
            if not equals or not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", name) or name in rules or plain[:1] == "/":
                raise BadGrammar(line)
            rules[name] = ""
        rules[name] += f" {plain.strip()}"
    return rules


def pattern(rules: Mapping[str, str], name: str) -> bytes:
    """The regular expression of a rule. Raises BadGrammar."""
    return _Reader({**read(CORE), **rules}, ()).rule(name)


class _Reader:
    """Reads the elements of one rule, from left to right."""

    def __init__(self, rules: Mapping[str, str], within: tuple[str, ...]) -> None:
        self._rules = rules
        self._within = within
        self._text = ""
        self._at = 0

    def rule(self, name: str) -> bytes:
        """The expression of a rule."""
        if name in self._within or name not in self._rules:
            raise BadGrammar(f"{name} is not defined, or by itself")
        inner = _Reader(self._rules, (*self._within, name))
        inner._text = self._rules[name].rstrip()
        found = inner._alternatives()
        if inner._at != len(inner._text):
            raise BadGrammar(f"{name}: {inner._text[inner._at :]}")
        return found

    def _alternatives(self) -> bytes:
        found = [self._sequence()]
        while self._take("/"):
            found.append(self._sequence())
        return b"(?:%b)" % b"|".join(found)

    def _sequence(self) -> bytes:
        found = []
        while (element := self._repeated()) is not None:
            found.append(element)
        if not found:
            raise BadGrammar(f"nothing at {self._text[self._at :]!r}")
        return b"".join(found)

    def _repeated(self) -> bytes | None:
        times = b""
        if (token := self._peek()) is not None and token["times"]:
            least, star, most = token["times"].partition("*")
            times = f"{{{least or 0},{most}}}".encode() if star else f"{{{least}}}".encode()
            self._at = token.end()
        element = self._element()
        if element is None and times:
            raise BadGrammar("a number of nothing")
        return None if element is None else element + times

    def _element(self) -> bytes | None:
        token = self._peek()
        if token is None or token["times"] or (token["sign"] and token["sign"] not in "(["):
            return None
        self._at = token.end()
        if token["name"]:
            return self.rule(token["name"])
        if token["bytes"]:
            ends = token["bytes"][2:].split("-")
            return b"[%b]" % b"-".join(rb"\x" + end.encode() for end in ends)
        if token["text"]:
            literal = re.escape(token["text"].removeprefix("%s")[1:-1].encode())
            return b"(?:%b)" % literal if token["text"].startswith("%s") else b"(?i:%b)" % literal
        inner = self._alternatives()
        if not self._take(")" if token["sign"] == "(" else "]"):
            raise BadGrammar("a bracket stays open")
        return inner if token["sign"] == "(" else inner + b"?"

    def _peek(self) -> re.Match[str] | None:
        return _TOKEN.match(self._text, self._at)

    def _take(self, sign: str) -> bool:
        token = self._peek()
        if token is None or token["sign"] != sign:
            return False
        self._at = token.end()
        return True
