"""The wheel's layout: everything is in `merge_by_merge`, so it installs no top-level `bpe`, `ui` or `app`.

In the repository the layers import each other as `bpe`, `film`, `published`, `ui` and `command_line`. In the wheel
they are `merge_by_merge.bpe` and so on, and their imports are rewritten. So is the name of the command line in its
messages: pip installs it as `bpe`.
"""

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "merge_by_merge"
LAYERS = ("bpe", "film", "published", "ui", "command_line")
FOLDERS = (*LAYERS, "pages", "sample_corpora", ".streamlit")
_IMPORT = re.compile(rf"^(\s*(?:>>> |\.\.\. )?)(from|import) ({'|'.join(LAYERS)})\b(.*)$", re.MULTILINE)


class WheelLayout(BuildHookInterface[Any]):
    """Puts the app and its layers under one package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Copy the project into a folder, with its imports rewritten, and add that to the wheel."""
        if version == "editable":
            return
        root = Path(self.root)
        self._copy = tempfile.TemporaryDirectory(prefix="merge-by-merge-")
        copy = Path(self._copy.name)
        shutil.copytree(
            root / PACKAGE, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
        )
        shutil.copy(root / "app.py", copy)
        for folder in FOLDERS:
            shutil.copytree(
                root / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "secrets.toml")
            )
        samples = copy / "sample_corpora"
        for file in copy.rglob("*.py"):
            if not file.is_relative_to(samples):  # a source file there is a text to train on
                file.write_text(nested(file.read_text("utf-8")), "utf-8")
        for file in sorted(copy.rglob("*")):
            if file.is_file():
                build_data["force_include"][str(file)] = f"{PACKAGE}/{file.relative_to(copy).as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the copy."""
        if version != "editable":
            self._copy.cleanup()


def nested(source: str) -> str:
    """Return a module's source with the layers imported from the package, and with the name of the installed command.

    >>> nested("from bpe.symbols import Pair")
    'from merge_by_merge.bpe.symbols import Pair'
    >>> nested("import bpe")
    'from merge_by_merge import bpe'
    >>> nested('"python -m bpe film novel.txt"')
    '"bpe film novel.txt"'
    """
    return _IMPORT.sub(_nested_import, source).replace("python -m bpe", "bpe")


def _nested_import(line: re.Match[str]) -> str:
    indent, keyword, layer, rest = line.groups()
    if keyword == "from":
        return f"{indent}from {PACKAGE}.{layer}{rest}"
    if rest.strip():
        raise ValueError(f"Write this as `from … import …`, which the wheel can rewrite: {line[0].strip()}")
    return f"{indent}from {PACKAGE} import {layer}"
