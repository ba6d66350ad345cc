"""One sentence for words of a command line that no command can take: unknown options, missing arguments, bad values.

typer may hold its own copy of click, so that its errors are known by their attributes and not by their classes.
"""

import difflib
import re
import sys
from collections.abc import Sequence
from typing import Any

_FOREIGN = {
    "each": "an option of both engines is `--option NAME=VALUE`, a limit is --tc, --nodes, --depth or --movetime",
    "engine": "name the engines as arguments, such as `arena match ./mine greedy`",
    "cmd": "name the engines as arguments, such as `arena match ./mine greedy`",
    "conf": "name the engines as arguments; `arena engines add` registers one",
    "rounds": "`arena match` has --games",
    "games": "a tournament has --rounds and --games-per-pairing",
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
    "resume": "leave it out: the same command goes on with its run",
    "recover": "an engine that crashes is restarted for its next game",
    "wait": "nothing waits between games",
    "protocol": "every engine speaks the protocol of protocol/SPEC.md",
    "tournament": "write `arena tournament FILE.toml`",
    "format": "`arena init FORMAT ENGINE...` writes the file of a tournament",
    "variants": "write --variant NAME; `arena variants` lists them",
    "csv": "`arena standings`, `arena games` and `arena stats` print CSV",
    "color": "write --side p1 (White or the attackers), --side p2 or --side random",
    "sprt": "write `arena sprt A B --elo0 0 --elo1 5`",
    "file": "name the file as an argument",
    "output": "`arena export DB --format pgn --output FILE` writes games",
    "verbose": "--trace DIR writes what is said with the engines",
    "debug": "--trace DIR writes what is said with the engines",
    "log": "--trace DIR writes what is said with the engines, --events FILE what happens",
    "time": "write --tc BASE+INCREMENT in seconds, or --movetime MS",
    "timeout": "write --start-ms MS or --ready-ms MS for the deadlines outside of moves",
    "help": "write --help",
    "name": "register an engine under a name: `arena engines add NAME COMMAND`",
    "elo": "write --elo0 and --elo1",
    "db": "name the database as an argument",
    "database": "write --db FILE, or name the database as an argument",
}
"""What an option of another tool, or a likely guess, is here; by its name without hyphens in front."""
_MEANT = {
    "db": ("--into", "--save"),
    "database": ("--into",),
    "record": ("--save",),
    "o": ("--output",),
    "out": ("--output",),
    "dir": ("--output",),
}
"""The options of which a guess means the one that the command has; by the name without hyphens in front."""
WORDS = {
    "swiss": "a Swiss is a format of tournaments: `arena init swiss ENGINE ENGINE ENGINE` writes its file",
    "gauntlet": "a gauntlet is a format of tournaments: `arena init gauntlet ENGINE ENGINE ENGINE` writes its file",
    "knockout": "a knockout is a format of tournaments: `arena init knockout ENGINE ENGINE ENGINE` writes its file",
    "round-robin": "write the file of a tournament with `arena init round-robin ENGINE ENGINE ENGINE`",
    "rules": "`arena variants NAME` explains the rules of a variant",
    "pgn": "`arena export DB --format pgn` writes PGN, and `arena import FILE --into DB` reads it",
    "csv": "`arena standings DB --csv` and `arena games DB --csv` print CSV",
    "predict": "`arena standings DB` has the chance of each engine to be above the next",
    "ratings": "`arena standings DB` shows the ratings",
    "elo": "`arena standings DB` shows the ratings",
    "crosstable": "write `arena standings DB --crosstable`",
    "config": "`arena show DB GAME --json` has the settings of the run",
    "balance": "`arena standings DB` says what playing p1 is worth",
    "analyze": "`arena play ENGINE` gives hints, and `arena show DB GAME` replays a game",
    "ls": "`arena games DB` lists games, `arena engines list` engines",
    "run": "`arena match A B` plays two engines, `arena tournament FILE.toml` more of them",
    "status": "`arena watch DB` follows a run, `arena standings DB` shows its tables",
    "help": "write `arena --help`, or --help after a command",
    "version": "write `arena --version`",
}
"""Words that people type for a command, and what does that here."""


def no_command(word: str, path: str, names: Sequence[str]) -> str:
    """The sentence for a word that is no command of `path`, which has commands of these names."""
    if path == "arena" and word.lower() in WORDS:
        return f"unknown command {word!r}: {WORDS[word.lower()]}"
    near = difflib.get_close_matches(word, names, 2)
    return f"unknown command {word!r}: {_did_you_mean(near) or f'`{path} --help` lists the commands'}"


def sentence(error: Any) -> str | None:
    """What is wrong with the command line and what to write instead; None for other errors, and where help is shown."""
    if type(error).__name__ == "NoArgsIsHelpError" or not callable(getattr(error, "format_message", None)):
        return None
    ctx = getattr(error, "ctx", None)
    # However the program was started, users call it arena.
    command = " ".join(["arena", *getattr(ctx, "command_path", "arena").split()[1:]])
    known = {option for param in getattr(getattr(ctx, "command", None), "params", ()) for option in param.opts}
    if (option := getattr(error, "option_name", None)) is not None and hasattr(error, "possibilities"):
        return _unknown_option(str(option), list(error.possibilities or ()), command, known)
    if (cause := error.__cause__) is not None and callable(getattr(cause, "errors", None)):
        from pydantic import BaseModel

        from arena.config.messages import of_option  # late: few commands fail

        return of_option(cause.errors()[0], BaseModel, str(error.format_message()).split("'")[1]).rstrip(".")
    text = " ".join(str(error.format_message()).split()).rstrip(".")
    if match := re.search(r"extra arguments?(?: ?\(s\))? \((.*)\)", text):
        return f"unexpected argument {match[1]!r}: {_too_much(match[1], command, known)}"
    return f"{text[:1].lower()}{text[1:]}; `{command} --help` shows how to use it"


def _too_much(more: str, command: str, known: set[str]) -> str:
    """What to do with words after all arguments."""
    for before, name in zip(sys.argv, sys.argv[1:], strict=False):
        if before == "--option" and "=" not in name:
            return f"write --option {name}={more.split()[0]}"
    if command.split()[-1] in ("match", "sprt", "play", "check", "add"):
        hint = "two engines play a match, more of them a tournament; " if command == "arena match" else ""
        return f"{hint}quote a command line that has blanks"
    if "--output" in known and " " not in more:
        return f"write `--output {more}` if the result is to go there"
    return "quote a name that has blanks"


def _unknown_option(option: str, near: list[str], command: str, known: set[str]) -> str:
    """A single hyphen is the habit of other tools; typer then only names its first letter."""
    if not option.startswith("--"):
        whole = [word for word in sys.argv[1:] if word.startswith(option) and len(word) > 2 and word[1] != "-"]
        option = whole[0].partition("=")[0] if whole else option
    plain, unknown = option.lstrip("-").lower(), f"{option} is no option of `{command}`"
    if meant := [each for each in _MEANT.get(plain, ()) if each in known]:
        return f"{unknown}: write {meant[0]}"
    if plain in _FOREIGN:
        return f"{unknown}: {_FOREIGN[plain]}"
    hyphens = "options have two hyphens, and " if not option.startswith("--") and len(option) > 2 else ""
    return f"{unknown}: {_did_you_mean(_nearest(option, near)) or f'{hyphens}`{command} --help` lists them'}"


def _nearest(option: str, near: Sequence[str]) -> list[str]:
    """Those that are about as near to an option as the nearest one."""
    likeness = {each: difflib.SequenceMatcher(None, option, each).ratio() for each in near}
    return [
        each
        for each in sorted(near, key=lambda each: -likeness[each])
        if likeness[each] > max(likeness.values()) - 0.05
    ]


def _did_you_mean(near: Sequence[str]) -> str:
    return f"did you mean {' or '.join(near)}?" if near else ""
