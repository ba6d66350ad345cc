"""Which languages the kit has, and how a new engine is written: all of its files, or none.

The files are those in `templates`, with the name of the engine put in.
"""

import difflib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from arena.whole_file import new_folder

_TEMPLATES = Path(__file__).parent / "templates"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


class KitRefused(ValueError):
    """A kit cannot be written; the sentence says why, and the remedy."""


@dataclass(frozen=True, slots=True)
class Language:
    """A kit: its files, and how an engine made of them is built and started."""

    name: str
    files: tuple[str, ...]
    """The file that plays comes first, then the one that speaks the protocol."""
    program: str
    """What is started, in the folder of the engine. `{name}` is the name of the engine, also in `build`."""
    build: str
    """The command that builds it, empty where there is nothing to build."""
    needs: str
    short: tuple[str, ...]
    """What people may call the language."""


LANGUAGES = {
    language.name: language
    for language in (
        Language("python", ("engine.py", "ugi.py"), "engine.py", "", "Python 3.11", ("py", "python3")),
        Language(
            "c",
            ("engine.c", "ugi.h"),
            "{name}",
            "cc -std=c11 -O2 -Wall -Wextra -pthread -o {name} engine.c",
            "a C compiler and POSIX threads",
            ("gcc", "clang", "c++", "cpp"),
        ),
        Language("javascript", ("engine.mjs", "ugi.mjs"), "engine.mjs", "", "Node.js 18", ("js", "node", "typescript")),
        Language(
            "java",
            ("Engine.java", "Ugi.java", "run"),
            "run",
            # The usual way to join strings is set up when it is first used: that would cost the first move 40 ms.
            "javac -XDstringConcat=inline *.java",
            "a JDK 17",
            ("jvm", "kotlin"),
        ),
        Language(
            "rust",
            ("engine.rs", "ugi.rs"),
            "{name}",
            "rustc --edition 2021 -O -o {name} engine.rs",
            "Rust 1.70",
            ("rs",),
        ),
    )
}
_EXECUTABLE = ("engine.py", "engine.mjs", "run")


def find_language(text: str) -> Language:
    """The language of this name. Raises KitRefused."""
    if language := LANGUAGES.get(text.lower()):
        return language
    called = [name for name, language in LANGUAGES.items() if text.lower() in language.short]
    near = called or difflib.get_close_matches(text.lower(), LANGUAGES, 1)
    hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(LANGUAGES)}"
    raise KitRefused(f"there is no kit for {text!r}: {hint}")


def write_kit(folder: Path, language: Language) -> list[str]:
    """Write a new engine, which is called as its folder is, and return the next commands to type. Raises KitRefused.

    The folder must not exist yet, or be empty. Its parent must exist.
    """
    name = folder.name
    if not _NAME.fullmatch(name):
        raise KitRefused(
            f"{name!r} cannot be the name of an engine: take a letter, then letters, digits, '-' or '_', at most 40"
        )
    if os.path.lexists(folder) and not folder.is_dir():
        raise KitRefused(f"{str(folder)!r} is a file: choose another name")
    if folder.is_dir() and any(folder.iterdir()):
        raise KitRefused(f"the folder {str(folder)!r} is not empty: choose another name")
    try:
        with new_folder(folder) as part:
            for file in language.files:
                text = (_TEMPLATES / language.name / f"{file}.in").read_text(encoding="utf-8")
                _write(part / file, text.replace("@NAME@", name))
            _write(part / "README.md", _readme(name, language))
    except FileNotFoundError:
        raise KitRefused(f"there is no folder {str(folder.parent)!r}: make it first") from None
    except OSError as error:
        raise KitRefused(f"{str(folder)!r} cannot be written ({error.strerror}): choose another place") from error
    return next_commands(name, language)


def next_commands(name: str, language: Language) -> list[str]:
    """What to type after the kit was written: go there and build it, check it, let it play."""
    build = language.build.format(name=name)
    program = f"./{language.program.format(name=name)}"
    return [
        f"cd {name} && {build}" if build else f"cd {name}",
        f"arena check {program}",
        f"arena match {program} random --variant callanish-7 --games 2 --movetime 50",
    ]


def _write(path: Path, text: str) -> None:
    mode = 0o777 if path.name in _EXECUTABLE else 0o666
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
        file.write(text)


def _readme(name: str, language: Language) -> str:
    build = language.build.format(name=name)
    values = {
        "@NAME@": name,
        "@PLAYS@": language.files[0],
        "@SPEAKS@": language.files[1],
        "@NEEDS@": language.needs,
        "@PROGRAM@": language.program.format(name=name),
        "@BUILD@": f"Build it after each change:\n\n```\n{build}\n```\n\n"
        if build
        else "There is nothing to build.\n\n",
    }
    text = (_TEMPLATES / "README.md.in").read_text(encoding="utf-8")
    for word, value in values.items():
        text = text.replace(word, value)
    return text
