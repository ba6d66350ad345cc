"""Starts Ludii as an engine: the user's own java runs `Ludii.java` with the user's own Ludii.jar.

    python -m engines.adapters.ludii Ludii.jar

Becomes the java process, so that whoever ends the engine ends java.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

SOURCE = Path(__file__).with_name("Ludii.java")


def command(java: str, jar: str, classes: str | None, memory_mb: int) -> list[str]:
    """The command line of the engine. Without `classes`, java compiles the adapter at each start, for some seconds."""
    program = ["-cp", jar, str(SOURCE)] if classes is None else ["-cp", f"{jar}{os.pathsep}{classes}", "Ludii"]
    # The serial collector has no threads of its own that would work while the opponent thinks.
    return [java, f"-Xmx{memory_mb}m", "-XX:+UseSerialGC", *program]


def main(arguments: Sequence[str] | None = None) -> int:
    """Start java in the place of this process. Returns only where that fails."""
    parser = argparse.ArgumentParser(
        prog="python -m engines.adapters.ludii", description="Play as Ludii: ADAPTERS.md tells how to register it."
    )
    parser.add_argument("jar", help="the Ludii.jar that you have downloaded")
    parser.add_argument(
        "--classes",
        metavar="DIR",
        help="where you have compiled Ludii.java to; without it each start takes seconds more",
    )
    parser.add_argument("--java", default="java", metavar="PATH", help="the java to use, 17 or later (default: java)")
    parser.add_argument(
        "--memory-mb", type=int, default=1000, metavar="N", help="the memory for Java's objects (default 1000)"
    )
    options = parser.parse_args(arguments)
    if not Path(options.jar).is_file():
        parser.error(f"there is no file {options.jar}: give the path of your Ludii.jar")
    if options.classes is not None and not Path(options.classes, "Ludii.class").is_file():
        parser.error(
            f"there is no Ludii.class in {options.classes}: javac -cp {options.jar} -d {options.classes} {SOURCE}"
        )
    java = shutil.which(options.java)
    if java is None:
        parser.error(f"there is no {options.java} on the PATH: install Java 17 or later, or name it with --java")
    os.execv(java, command(java, options.jar, options.classes, options.memory_mb))


if __name__ == "__main__":
    sys.exit(main())
