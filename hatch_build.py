"""The wheel's layout: everything is in `merge_by_merge`, so it installs no top-level `bpe`, `ui` or `app`.

In the repository the layers import each other as `bpe`, `film`, `published`, `ui` and `command_line`. In the wheel
they are `merge_by_merge.bpe` and so on, and their import statements are rewritten, and nothing else.
"""

import ast
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "merge_by_merge"
LAYERS = ("bpe", "film", "published", "ui", "command_line")
FOLDERS = (*LAYERS, "pages", "sample_corpora", ".streamlit")
STUDY = Path("docs/ties/models.json")  # results that a lesson draws


class WheelLayout(BuildHookInterface[Any]):
    """Puts the app and its layers under one package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Copy the project into a folder, with its imports rewritten, and add that to the wheel."""
        if version == "editable":
            raise ValueError("This project cannot be installed as editable: a clone needs no installation.")
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
        (copy / STUDY).parent.mkdir(parents=True)
        shutil.copy(root / STUDY, copy / STUDY)
        samples = copy / "sample_corpora"
        for file in copy.rglob("*.py"):
            if not file.is_relative_to(samples):  # a source file there is a text to train on
                file.write_text(nested(file.read_text("utf-8")), "utf-8")
        for file in sorted(copy.rglob("*")):
            if file.is_file():
                build_data["force_include"][str(file)] = f"{PACKAGE}/{file.relative_to(copy).as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the copy."""
        self._copy.cleanup()


def nested(source: str) -> str:
    """Return a module's source with the layers imported from the package. Strings and comments stay as they are.

    >>> nested("from bpe.symbols import Pair")
    'from merge_by_merge.bpe.symbols import Pair'
    >>> nested("import bpe")
    'from merge_by_merge import bpe'
    """
    lines = source.encode().split(b"\n")  # Python counts columns in bytes
    for node in ast.walk(ast.parse(source)):
        line, column = getattr(node, "lineno", 1) - 1, getattr(node, "col_offset", 0)
        if isinstance(node, ast.ImportFrom) and not node.level and _layer(node.module or "") in LAYERS:
            before, after = b"from ", f"from {PACKAGE}.".encode()
        elif isinstance(node, ast.Import) and any(_layer(alias.name) in LAYERS for alias in node.names):
            if len(node.names) > 1 or "." in node.names[0].name:
                raise ValueError(
                    f"Write this as `from … import …`, which the wheel can rewrite: {ast.unparse(node)}"
                )
            before, after = b"import ", f"from {PACKAGE} import ".encode()
        else:
            continue
        assert lines[line][column:].startswith(before)
        lines[line] = lines[line][:column] + after + lines[line][column + len(before) :]
    return b"\n".join(lines).decode()


def _layer(module: str) -> str:
    return module.partition(".")[0]
