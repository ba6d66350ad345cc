"""A shell script that replays a check: it needs nothing but a POSIX shell and the engine.

Owns the text of the script. It sends what the check sent, waits for the answers on which the check waited, prints the
dialogue in the form of all transcripts, and says what was seen and what the specification demands. It judges nothing.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence

from arena.conformance.check import Finding
from arena.conformance.checked_engine import CheckedEngine, TranscriptEntry
from results.safe_text import harmless

HEAD = "#!/bin/sh\n# Replays a check of `arena check`."
"""How every script begins; by this an older one is known that may be removed."""
_WAITED_FOR = (b"ugiok", b"readyok", b"bestmove")
_PAUSE_NS = 100_000_000
"""A gap between two writes that is kept if it is at least so long."""
_LONGEST_PAUSE_NS = 60_000_000_000
_MORE_S = 20
"""How many seconds longer than the check a replay may take."""
_LARGEST = 4 << 20
"""The largest script, in bytes. Some checks send megabytes."""
_PLAIN = frozenset(b" !#$&()*+,-./0123456789:;<=>?@[]^_`{|}~" + bytes(range(65, 91)) + bytes(range(97, 123)))
"""The bytes that mean themselves in a quoted format of printf."""

_BY_HAND = {
    "A1": "The check sends nothing for a moment, and looks whether the program is still there.",
    "A11": "In the check it starts in a folder that it cannot write to, with PATH as its only variable: "
    'try `cd /proc && env -i PATH="$PATH" ENGINE`.',
    "B13": "In the check nobody reads its stderr, so that the pipe fills up: try `ENGINE 2>&1 >/dev/null | sleep 60`.",
    "J5": "In the check two processes run at once: start this script twice.",
    "K4": "In the check its stdout is closed: try `ENGINE | true`.",
    "K5": "In the check it gets SIGTERM: try `kill PID`.",
    "K6": "The check looks for processes that are left at the end: try `ps`.",
    "K7": "The check reads memory and threads in /proc/PID/status.",
}
"""What a script of lines cannot do, and how to do it by hand."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
"""The name of a variable that a shell can read."""

_FUNCTIONS = r"""
now() {
  case $(date +%s%N) in
    *[!0-9]*) ;;
    *) date +%s%3N ;;
  esac
}
send() {
  printf "$1" | sed "s/^/$name <- /"
  sent=$(now)
  printf "$1" 2>/dev/null >&3 || printf '(it no longer reads)\n'
}
wait_for() {
  while IFS= read -r line <&4 || [ -n "$line" ]; do
    printf '%s -> %s\n' "$name" "$line"
    case $line in
      "$1"*) [ "$1" != bestmove ] || [ -z "$sent" ] || printf '(%s ms)\n' $(($(now) - sent)); return 0 ;;
    esac
  done
  printf '(%s did not come: its output has ended, or the %s seconds of this script are over)\n' "$1" "$limit"
  return 1
}
start() {
  name=$1 limit=$2
  shift 2
  mkfifo "$folder/in" "$folder/out" || exit 2
  ( trap - PIPE
    exec env -i PATH="$PATH" LANG="${LANG-C.UTF-8}" HOME="$folder" TMPDIR="$folder" KEPT"$@"
  ) <"$folder/in" >"$folder/out" &
  engine=$!
  exec 3>"$folder/in" 4<"$folder/out"
  ( exec 3>&- 4<&- >/dev/null 2>&1
    trap 'kill $nap; exit' TERM
    sleep "$limit" & nap=$!
    wait $nap; kill -9 $engine ) &
  dog=$!
}
finish() {
  exec 3>&-
  while IFS= read -r line <&4 || [ -n "$line" ]; do printf '%s -> %s\n' "$name" "$line"; done
  exec 4<&-
  wait "$engine"
  printf '(it ended with status %s)\n' "$?"
  kill "$dog" 2>/dev/null
  wait "$dog" 2>/dev/null
  rm -f "$folder/in" "$folder/out"
}
"""


def script(
    finding: Finding, engines: Sequence[CheckedEngine], command: Sequence[str], variables: Iterable[str] = ()
) -> str:
    """The script for a finding with evidence, from the dialogues behind it. `command` starts the engine.

    The engine gets the variables of a contained one. `variables` are the names of those that its registration sets.
    Empty where the dialogue was not kept whole.
    """
    if any(len(engine.record) == engine.record.maxlen for engine in engines):
        return ""
    # In a check the environment is as small as in games. A shell's own would let the engine find what it lacks there.
    kept = "".join(f'${{{name}+"{name}=${name}"}} ' for name in variables if _NAME.fullmatch(name))
    parts = [*_head(finding, command, variables), _FUNCTIONS.replace("KEPT", kept), "replay() {"]
    for engine in engines:
        entries = list(engine.record)
        spent_s = (entries[-1].at_ns - entries[0].at_ns) // 1_000_000_000 if entries else 0
        parts.append(f'start {shlex.quote(engine.name)} {spent_s + _MORE_S} "$@"')
        parts += _lines(entries)
        if due := _due(entries):
            parts.append(f"wait_for {due}")
        parts.append("finish")
    # What an engine writes could steer a terminal.
    parts += ["}", "replay \"$@\" | LC_ALL=C tr -c '\\11\\12\\40-\\176' '?'", "exit 0\n"]
    text = "\n".join(parts)
    return text if len(text) <= _LARGEST else ""


def _head(finding: Finding, command: Sequence[str], variables: Iterable[str]) -> Iterator[str]:
    evidence = finding.evidence
    variant = f" in {finding.variant}" if finding.variant else ""
    yield HEAD
    yield from _comment(f"Check {finding.id}{variant}, clause {finding.clause}: {finding.title}")
    if evidence is not None:
        yield from _comment(f"Seen: {evidence.seen}")
        yield from _comment(f"Demanded: {evidence.demand}")
        yield from _comment(f"Likely: {evidence.cause}" if evidence.cause else "")
        for text in evidence.came:
            yield from _comment(f"Came: {text}")
    yield from _comment(_BY_HAND.get(finding.id, ""))
    yield from _comment("Use: sh THIS-FILE [ENGINE [ARGUMENT...]]. It writes the dialogue; <- is sent, -> is answered.")
    yield from _comment("Behind a bestmove it writes how many ms it took, where `date` knows them.")
    if names := ", ".join(variables):
        yield from _comment(f"The check sets these variables, whose values do not stand here; export them: {names}")
    yield from _comment("The engine runs as any program that you start yourself: it is not contained.")
    yield f"[ $# -gt 0 ] || set -- {' '.join(map(_quoted, command))}"
    yield "folder=$(mktemp -d) || exit 2"
    yield "trap 'rm -rf \"$folder\"' EXIT"
    yield "trap '' PIPE"


def _quoted(word: str) -> str:
    # A word with line breaks or signs that steer a terminal is given by printf, so that the file stays plain text.
    if word.isascii() and word.isprintable():
        return shlex.quote(word)
    return f'"$(printf {_format(word.encode(errors="surrogateescape"))})"'


def _comment(text: str) -> list[str]:
    return [f"# {harmless(line)}".rstrip() for line in text.split("\n")] if text else []


def _lines(entries: Sequence[TranscriptEntry]) -> Iterator[str]:
    """The commands of a dialogue: what is sent, what is waited for, and pauses that the check made."""
    last_ns = entries[0].at_ns if entries else 0
    for entry in entries:
        if entry.direction == "->":
            if word := next((word for word in _WAITED_FOR if entry.data.lstrip().startswith(word)), None):
                yield f"wait_for {word.decode()} || {{ finish; return; }}"
        else:
            pause_ns = entry.at_ns - last_ns
            if _PAUSE_NS <= pause_ns <= _LONGEST_PAUSE_NS:
                yield f"sleep {pause_ns / 1e9:.1f}"
            yield f"send {_format(entry.data)}"
        last_ns = entry.at_ns


def _due(entries: Sequence[TranscriptEntry]) -> str:
    """The answer that was due when the dialogue ended; empty where none was."""
    answered = [each for each in entries if each.direction == "<-" or each.data.lstrip().startswith(_WAITED_FOR)]
    if not answered or answered[-1].direction == "->":
        return ""
    last = answered[-1].data.split(b"\n")[-2:][0].split()[:1]
    return {b"ugi": "ugiok", b"isready": "readyok", b"go": "bestmove", b"stop": "bestmove"}.get(b"".join(last), "")


def _format(data: bytes) -> str:
    """A quoted format for printf that gives these bytes in every POSIX shell."""
    return "'" + "".join(chr(each) if each in _PLAIN else _escape(each) for each in data) + "'"


def _escape(byte: int) -> str:
    return "\\n" if byte == 10 else f"\\{byte:03o}"
