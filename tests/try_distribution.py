"""Tries distributions as a user would: each in an empty environment, used from another folder.

    python tests/try_distribution.py dist/*.tar.gz dist/*.whl        --demo: the first one also plays the demo
                                                                     --python PYTHON: one wheel in this one, too

`make dist` and `.ci/run` call it. It says what it did, and ends with status 1 at the first thing that is not right. The
strong engines must be strong: at once where the wheel has their searches, else once `arena engines build` was typed.
As many distributions are tried at once as there are CPUs.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

VERSIONS = Path(__file__).parent.parent / "requirements.txt"
DEADLINE_S = 300
COMMANDS = (
    "arena --version",
    "python -m arena --version",
    "arena engines list",
    "arena variants callanish-7",
    "arena docs SPEC",
    "arena docs COMMANDS",
    "arena match alphabeta greedy --variant callanish-7 --games 2 --nodes 50 --seed 1 --db games.db",
    "arena standings games.db",
    "arena show games.db 1",
    "arena check random --variant callanish-7 --level smoke",
    "arena check alphabeta --variant callanish-7 --only D1",
    "arena new fox",
    "arena check fox/engine.py --variant callanish-7 --level smoke",
    "arena export games.db --format jsonl --output games.jsonl",
    "arena verify games.jsonl",
)
DEMO = "arena demo --seed 1"
GAMES = 20
# Each trial has a folder for temporary files of its own, so that no arena sees which CPU another one has taken.
STRONG = f"arena match stornoway alphabeta --variant callanish-7 --movetime 50 --games {GAMES} --seed 1 --json --no-pin"
LEAST = 14
"""Points of the strong engine in these games. Compiled it scores 18 to 20, by chance and as busy as the machine is, and
not compiled about 9.5: this number tells the two apart whatever the chance."""


class NotRight(Exception):
    """What was tried, and what came of it."""


def run(words: list[str], folder: Path, path: str) -> str:
    """The output of a command in a folder; it finds nothing of ours but what is on the PATH.

    A compiler is on it where this machine has one.
    """
    environment = {"PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8", "TMPDIR": str(folder)}
    passed = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    try:
        result = subprocess.run(
            words,
            cwd=folder,
            env=environment | passed,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
        )
    except subprocess.TimeoutExpired:
        raise NotRight(f"{' '.join(words)}: no end within {DEADLINE_S} s") from None
    if result.returncode:
        raise NotRight(f"{' '.join(words)}: status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def is_compiled(distribution: Path) -> bool:
    """Does it carry the searches in C?"""
    return distribution.suffix == ".whl" and not distribution.stem.endswith("-none-any")


def play_strongly(distribution: Path, folder: Path, path: str) -> str:
    """Play the strong engine, and compile it first where that is not in the distribution; what it scored."""
    files = "import engines, pathlib; print(*pathlib.Path(engines.__file__).parent.rglob('*.so'))"
    shipped = run(["python", "-c", files], folder, path)
    carries = is_compiled(distribution)
    if bool(shipped.strip()) != carries:
        raise NotRight(f"of the searches in C it has {shipped.strip() or 'none'}")
    listed = run(["arena", "engines", "list"], folder, path)
    if carries == ("`arena engines build` compiles it" in " ".join(listed.split())):
        raise NotRight(f"`arena engines list` says\n{listed}")
    if not carries:
        if shutil.which(os.environ.get("CC") or "cc") is None:
            return "not strong, since there is no compiler"
        run(["arena", "engines", "build"], folder, path)
    table = json.loads(run(STRONG.split(), folder, path))["standings"]["engines"]
    points = next(row["score"] for row in table if row["name"] == "stornoway")
    if points < LEAST:
        raise NotRight(f"stornoway scored {points} of {GAMES} against alphabeta, less than {LEAST}")
    if not carries:
        run(["arena", "engines", "build", "--remove"], folder, path)
    if run(["python", "-c", files], folder, path) != shipped:
        raise NotRight("`arena engines build` has written into the installation")
    return f"stornoway scored {points} of {GAMES}"


def try_one(distribution: Path, python: str, *, demo: bool) -> str:
    """Install it where nothing else is and use it from a folder outside of the source tree; what its version says."""
    with tempfile.TemporaryDirectory(prefix="arena-") as place:
        home, folder = Path(place, "environment"), Path(place, "elsewhere")
        folder.mkdir()
        subprocess.run([python, "-m", "venv", str(home)], check=True, timeout=DEADLINE_S)
        path = os.pathsep.join([str(home / "bin"), "/usr/local/bin", "/usr/bin", "/bin"])
        pip = ["python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "-c", str(VERSIONS)]
        run([*pip, str(distribution)], folder, path)
        found = Path(run(["python", "-c", "import arena; print(arena.__file__)"], folder, path).strip())
        if home.resolve() not in found.resolve().parents:
            raise NotRight(f"arena is imported from {found}, not from the new environment")
        said = {line: run(line.split(), folder, path) for line in COMMANDS}
        if demo:
            run(DEMO.split(), folder, path)
        return f"{said['arena --version'].strip()}, {play_strongly(distribution, folder, path)}"


def line(distribution: Path, python: str, *, demo: bool) -> str:
    """What is said of a distribution that works. Raises NotRight with its name."""
    began = time.monotonic()
    name = distribution.name + (f" in {python}" if python != sys.executable else "")
    try:
        version = try_one(distribution.resolve(), python, demo=demo)
    except NotRight as fault:
        raise NotRight(f"{name}: {fault}") from None
    return f"{name}: {version}, works ({time.monotonic() - began:.0f} s)"


def main() -> int:
    parser = argparse.ArgumentParser(description="Try distributions, each in an empty environment.")
    parser.add_argument("distributions", nargs="+", type=Path)
    parser.add_argument("--demo", action="store_true", help="also play the demo with the first one")
    parser.add_argument("--python", action="append", default=[], help="also try one wheel with this Python")
    options = parser.parse_args()
    trials = [(each, sys.executable) for each in options.distributions]
    # The wheels hold the same Python, so other Pythons try the one that has compiled files besides, if there is one.
    wheels = sorted((each for each in options.distributions if each.suffix == ".whl"), key=is_compiled)
    trials += [(wheels[-1], python) for python in options.python if wheels]
    with ThreadPoolExecutor(os.cpu_count()) as at_once:
        tried = [
            at_once.submit(line, distribution, python, demo=options.demo and number == 0)
            for number, (distribution, python) in enumerate(trials)
        ]
        try:
            for each in tried:
                print(each.result(), flush=True)
        except NotRight as fault:
            print(fault, file=sys.stderr)
            at_once.shutdown(cancel_futures=True)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
