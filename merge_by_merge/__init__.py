"""Merge by Merge: byte pair encoding, one merge at a time. `merge-by-merge` opens the app; `bpe` is the core.

`from merge_by_merge import bpe` is the core wherever this package is. If it is installed, it holds `bpe` and the other
layers. In a clone they lie beside this folder, and their names in this package are second names of the same modules.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a type checker does not see the second names
    import bpe as bpe
    import command_line as command_line
    import film as film
    import published as published
    import ui as ui

LAYERS = ("bpe", "film", "published", "ui", "command_line")


class _SecondNames(MetaPathFinder, Loader):
    """Finds `merge_by_merge.bpe.symbols` as the module `bpe.symbols`, which is never loaded twice."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        return ModuleSpec(fullname, self) if package == __name__ and name.split(".")[0] in LAYERS else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(spec.name.partition(".")[2])
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__  # Python has put that of the second name there
        module.__spec__ = module.__spec__.loader_state


if not (Path(__file__).parent / "bpe").is_dir():
    sys.meta_path.insert(0, _SecondNames())  # before Python looks into the folders of `bpe` for a copy
