"""docs/project/CONTRIBUTING.md names the licence of each package that is installed with the arena."""

import re
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

PAGE = (Path(__file__).parent.parent / "docs" / "project" / "CONTRIBUTING.md").read_text(encoding="utf-8")


def needed(name: str, extras: tuple[str, ...] = (), known: frozenset[str] = frozenset()) -> Iterator[str]:
    """The packages that a package requires on this system, and what these require, once or more."""
    for line in distribution(name).requires or ():
        wanted = Requirement(line)
        if wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            found = distribution(wanted.name).metadata["Name"]
            if found not in known:
                yield found
                yield from needed(found, tuple(wanted.extras), known | {found})


def licence(name: str) -> str:
    """What the metadata of a package says: an expression, a short name, or the last word of a classifier."""
    metadata = distribution(name).metadata
    classes = [each.split(" :: ")[-1] for each in metadata.get_all("Classifier", []) if each.startswith("License ::")]
    said = [*metadata.get_all("License-Expression", []), *metadata.get_all("License", []), " and ".join(classes)]
    return str(next(each for each in said if each))


def test_the_page_names_the_licence_of_every_package_that_users_install() -> None:
    """Those of the base and of the extra `web`, direct and indirect, each as its metadata has it."""
    told = dict(re.findall(r"^\| ([\w.-]+) \| ([^|`]+) \|$", PAGE.split("\n## Licences\n", 1)[1], re.MULTILINE))
    told.pop("package")
    assert told == {name: licence(name) for name in sorted(set(needed("callanish-arena", ("web",))), key=str.lower)}
