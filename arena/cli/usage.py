"""One sentence for words of a command line that no command can take: unknown options, missing arguments, bad values.

Knows the habits of people who come from other tools. typer may hold its own copy of click, so that its errors are known
by their attributes and not by their classes.
"""

import re
import sys
from typing import Any

_HABITS = {
    "each": "an option of both engines is `--option NAME=VALUE`, a limit is --tc, --nodes, --depth or --movetime",
    "engine": "name the engines as arguments, such as `arena match ./mine greedy`",
    "cmd": "name the engines as arguments, such as `arena match ./mine greedy`",
    "conf": "name the engines as arguments; `arena engines add` registers one",
    "rounds": "`arena match` has --games; a tournament file has rounds",
    "games": "a tournament file has rounds and games_per_pairing, which --set changes: `--set rounds=4`",
    "repeat": "every opening is played with both sides",
    "pgnout": "write --pgn FILE",
    "pgnin": "write --book FILE, or `arena import FILE --into DB`",
    "st": "write --movetime MS",
    "timemargin": "write --margin MS",
    "draw-movenumber": "write `--draw score=10,moves=8,after=40`",
    "maxmoves": "write --max-plies N",
    "srand": "write --seed N",
    "threads": "write --concurrency N for games at once, `--option Threads=N` for an engine",
    "hash": "write `--option Hash=16`",
    "ratinginterval": "`arena standings DB` shows the ratings, also during a run",
    "outcomeinterval": "`arena standings DB` shows the ratings, also during a run",
    "recover": "an engine that crashes is started anew for its next game",
    "wait": "nothing waits between games",
    "protocol": "every engine speaks the protocol of protocol/SPEC.md",
    "tournament": "write `arena tournament FILE.toml`",
    "format": "a tournament file has format",
    "sprt": "write `arena sprt A B --elo0 0 --elo1 5`",
    "file": "name the file as an argument",
    "output": "`arena export DB --format pgn --output FILE` writes games",
    "verbose": "--trace DIR writes what is said with the engines",
    "debug": "--trace DIR writes what is said with the engines",
    "log": "--trace DIR writes what is said with the engines, --events FILE what happens",
    "time": "write --tc BASE+INCREMENT in seconds, or --movetime MS",
    "timeout": "write --start-ms MS or --ready-ms MS for the deadlines outside of moves",
    "name": "register an engine under a name: `arena engines add NAME COMMAND`",
    "elo": "write --elo0 and --elo1",
    "db": "name the database as an argument",
    "database": "write --db FILE, or name the database as an argument",
}
"""What an option of another tool, or a likely guess, is here; by its name without hyphens in front."""
_OWN_HABITS = {
    ("arena plot", "--output"): "write --svg FILE for a picture, --html FILE for a page",
    ("arena play", "--color"): "write --side p1 (White or the attackers), --side p2 or --side random",
    ("arena play", "--record"): "write --save FILE",
    ("arena play", "--db"): "write --save FILE, and `arena import FILE --into DB` after the game",
}
"""The same for an option that means something in one command only; by the command and the option."""
_SYNONYMS = {"db": "--into", "database": "--into", "o": "--output", "out": "--output", "dir": "--output"}
"""The option that a guess means, in a command that has this option; by the name without hyphens in front."""
_TAKE_ENGINES = frozenset({"match", "sprt", "play", "check", "add"})
"""The last words of commands whose arguments may be command lines of engines."""
_NOUNS = (
    (re.compile(r"valid integer|unable to parse string as an integer"), "must be a whole number"),
    (re.compile(r"valid number|unable to parse string as a number"), "must be a number"),
    (re.compile(r"valid boolean"), "must be true or false"),
    (re.compile(r"greater than or equal to (\S+)"), r"must be at least \1"),
    (re.compile(r"less than or equal to (\S+)"), r"must be at most \1"),
)


def sentence(error: Any) -> str | None:
    """What is wrong with the command line and what to write instead; None for other errors, and where help is shown."""
    if type(error).__name__ == "NoArgsIsHelpError" or not callable(getattr(error, "format_message", None)):
        return None
    # However the program was started, users call it arena.
    command = " ".join(["arena", *getattr(getattr(error, "ctx", None), "command_path", "arena").split()[1:]])
    text = " ".join(str(error.format_message()).split())
    if (option := getattr(error, "option_name", None)) is not None and hasattr(error, "possibilities"):
        return _unknown_option(str(option), list(error.possibilities or ()), command, _options(error))
    if (option := getattr(error, "option_name", None)) is not None:
        return f"{_lower(text).rstrip('.')}; `arena COMMAND --help` shows how it is written"
    parameter = getattr(error, "param", None)
    if type(error).__name__ == "MissingParameter" and parameter is not None:
        name = _name(parameter)
        what = (getattr(parameter, "help", "") or "").rstrip(".")
        return f"`{command}` needs {name}{what and f' ({what})'}; `{command} --help` shows how it is written"
    if parameter is not None:
        return _bad_value(parameter, str(error.message), command)
    if match := re.search(r"extra arguments? ?(?:\(s\))? ?\((.*)\)|extra argument\(s\) \((.*)\)", text):
        more = match[1] or match[2]
        return f"{more!r} is too much for `{command}`: {_too_much(more, command, _options(error))}"
    if match := re.search(r"No such command '(.*?)'\.?(.*)", text):
        near = re.findall(r"'([^']*)'", match[2])
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        return f"{match[1]!r} is no command of `{command}`: {hint}`{command} --help` lists them"
    return f"{_lower(text).rstrip('.')}; `{command} --help` shows how it is written"


def _options(error: Any) -> set[str]:
    """The options of the command that the error is about."""
    params = getattr(getattr(getattr(error, "ctx", None), "command", None), "params", ())
    return {option for param in params for option in param.opts}


def _too_much(more: str, command: str, known: set[str]) -> str:
    """What to do with words that stand behind all arguments."""
    last = command.split()[-1]
    if last in _TAKE_ENGINES:
        hint = "two engines play a match, more of them a tournament; " if last == "match" else ""
        return f"{hint}quote a command line that has blanks"
    if "--output" in known and " " not in more:
        return f"write `--output {more}` if the result is to go there"
    return "quote a name that has blanks"


def _unknown_option(option: str, near: list[str], command: str, known: set[str]) -> str:
    """A single hyphen is the habit of other tools; typer then only names its first letter."""
    if not option.startswith("--"):
        whole = [word for word in sys.argv[1:] if word.startswith(option) and len(word) > 2 and word[1] != "-"]
        option = whole[0].partition("=")[0] if whole else option
    habit = _OWN_HABITS.get((command, option), _HABITS.get(option.lstrip("-").lower()))
    unknown = f"{option} is no option of `{command}`"
    meant = _SYNONYMS.get(option.lstrip("-").lower())
    if meant in known:
        return f"{unknown}: write {meant}"
    if habit is not None:
        return f"{unknown}: {habit}"
    if near:
        return f"{unknown}: did you mean {' or '.join(sorted(near))}?"
    hyphens = "options have two hyphens, and " if not option.startswith("--") and len(option) > 2 else ""
    return f"{unknown}: {hyphens}`{command} --help` lists them"


def _bad_value(parameter: Any, message: str, command: str) -> str:
    option = parameter.param_type_name == "option"
    name = _name(parameter)
    message = message.removeprefix("Value error, ").rstrip(".")
    for pattern, words in _NOUNS:
        if match := pattern.search(message):
            message = match.expand(words)
    value = _given(parameter.opts) if option else None
    shown = f" {value}" if value is not None and value not in message else ""
    return f"{name}{shown}: {message}; `{command} --help` shows what it may be"


def _given(options: list[str]) -> str | None:
    """The value that stands behind an option on the command line."""
    words = sys.argv[1:]
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in options:
            return value if equals else words[place + 1] if place + 1 < len(words) else None
    return None


def _name(parameter: Any) -> str:
    """As the user writes it: `--games`, or the word of an argument in the help."""
    if parameter.param_type_name == "option":
        return str(parameter.opts[0])
    return str(getattr(parameter, "metavar", None) or parameter.name)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
