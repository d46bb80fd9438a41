"""The film layer is independent: it imports only the core, `regex` and the standard library."""

import subprocess
import sys
from pathlib import Path

import regex

import film
from tests import ROOT

# Imports every module of the layer and makes both feeds; refuses any module from elsewhere.
ALONE = """
import sys

class OnlyOurs:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {*sys.stdlib_module_names, "bpe", "film", "regex", "_regex"}:
            raise ImportError(f"the film layer imports {name}")

sys.meta_path.insert(0, OnlyOurs())

import importlib, json, pkgutil
import bpe, film

for module in pkgutil.walk_packages(film.__path__, "film."):
    importlib.import_module(module.name)
trace = bpe.train("low lower lowest", merges=3)
window = film.encoding_window("lowest", trace.tokenizer())
json.dumps([
    film.training_feed(trace, "low lower lowest"),
    film.encoding_feed(trace.tokenizer(), window, "rank")[0],
    film.pair_table(trace, 3),
])
"""


def alone(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script with the repository and installed packages on the path, but no start-up files."""
    paths = [str(ROOT), str(Path(regex.__file__).parents[1])]
    setup = f"import sys\nsys.path += {paths!r}\n"
    return subprocess.run([sys.executable, "-I", "-S", "-c", setup + script], capture_output=True, text=True)


def test_films_are_made_with_regex_only() -> None:
    result = alone(ALONE)
    assert (result.returncode, result.stderr) == (0, "")


def test_another_package_would_be_refused() -> None:
    result = alone(ALONE + "\nimport pandas\n")
    assert "the film layer imports pandas" in result.stderr


def test_the_public_names_are_there() -> None:
    assert all(hasattr(film, name) for name in film.__all__)
    assert film.__all__ == sorted(film.__all__)
