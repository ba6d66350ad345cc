"""What the build adds to the list in pyproject.toml: the documents, the searches in C, a README without dead links."""

import re
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"\[([^\]]+)\]\(((?!https?://|#)[^)]+)\)")


class Contents(BuildHookInterface[Any]):
    """Adds to a wheel what lies outside of the packages. An editable installation reads it where it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        # `arena.cli.documents` reads them there, by these names.
        pages = {page: page.relative_to(root).as_posix() for page in (root / "docs").glob("*/*.md")}
        pages |= {root / name: f"docs/project/{name}" for name in ("README.md", "CHANGELOG.md")}
        pages[root / "benchmarks" / "RESULTS.md"] = "docs/project/BENCHMARKS.md"
        forced = {str(page): f"arena/{name}" for page, name in pages.items()}
        build_data["force_include"].update(forced)
        # The searches in C; git ignores them, so the list of packages leaves them out.
        libraries = sorted((root / "engines" / "native" / "lib").glob("*.so"))
        build_data["force_include"].update({str(file): str(file.relative_to(root)) for file in libraries})
        if libraries:
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{_platform(libraries)}"


def _platform(libraries: list[Path]) -> str:
    """The tag of the systems that load these libraries: those with the GNU C library of the newest symbol or later."""
    system, dash, machine = sysconfig.get_platform().partition("-")
    versions = [int(minor) for file in libraries for minor in re.findall(rb"GLIBC_2\.(\d+)", file.read_bytes())]
    tag = f"manylinux_2_{max(versions)}-{machine}" if system == "linux" and versions else f"{system}{dash}{machine}"
    return re.sub(r"[-.]", "_", tag)


class Readme(MetadataHookInterface):
    """The README for package indexes, where links into the repository would lead nowhere."""

    def update(self, metadata: dict[str, Any]) -> None:
        source = metadata.get("urls", {}).get("Source")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        linked = _LINK.sub(rf"[\1]({source}/blob/main/\2)" if source else r"\1", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": linked}
