"""The project installs with pip as one package; docs/api.md describes every public name."""

import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

import bpe
from hatch_build import nested
from merge_by_merge.__main__ import main
from tests import ROOT
from tests.shipping.installed import install, run

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
API = (ROOT / "docs" / "api.md").read_text("utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the installed package."""
    return install(tmp_path_factory.mktemp("installed"))


@pytest.mark.slow
def test_pip_installs_one_package_that_holds_all(installed: Path) -> None:
    packages = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert packages - {"bin"} == {"merge_by_merge"}
    inside = {path.name for path in (installed / "merge_by_merge").iterdir()}
    assert {
        "bpe",
        "film",
        "published",
        "ui",
        "command_line",
        "pages",
        "app.py",
        "sample_corpora",
        ".streamlit",
    } <= inside
    assert not [*installed.rglob("secrets.toml")]


def test_no_module_imports_a_layer_from_outside_the_package(installed: Path) -> None:
    modules = [
        path
        for path in (installed / "merge_by_merge").rglob("*.py")
        if "sample_corpora" not in path.parts  # a source file there is a text to train on
    ]
    outside = [
        (path.name, line)
        for path in modules
        for line in path.read_text("utf-8").splitlines()
        if re.match(r"\s*(from|import) (bpe|film|published|ui|command_line|pages)\b", line)
    ]
    assert len(modules) > 200
    assert outside == []


def test_the_installed_core_trains_and_films_without_the_app(installed: Path) -> None:
    program = """
import sys
from merge_by_merge import bpe
from merge_by_merge.film import film_page

trace = bpe.train("low lower", merges=1)
print(bpe.__version__, trace.merges, len(film_page(trace, "low lower")) > 50_000)
print({name.split(".")[0] for name in sys.modules} & {"bpe", "film", "ui", "streamlit", "pandas"})
"""
    assert run(installed, "-c", program) == f"{bpe.__version__} [(b'l', b'o')] True\nset()"


@pytest.mark.parametrize(
    ("script", "answer"), [("bpe", "bpe {}"), ("merge-by-merge", "merge-by-merge {}")], ids=["bpe", "app"]
)
def test_the_installed_commands_say_their_version(installed: Path, script: str, answer: str) -> None:
    program = f"""
import sys
from importlib.metadata import entry_points

(script,) = entry_points(group="console_scripts", name="{script}")
sys.exit(script.load()(["--version"]))
"""
    assert run(installed, "-c", program) == answer.format(bpe.__version__)


@pytest.mark.parametrize("port", ["0", "65536", "eighty"])
def test_a_port_that_there_is_not_gets_a_sentence(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--port", port])
    assert f"expected a number from 1 to 65,535, got '{port}'" in capsys.readouterr().err


def test_the_wheel_needs_what_the_app_needs() -> None:
    # tests/house/test_architecture.py holds bpe/ and film/ to the standard library and `regex`.
    needs = {line.partition("#")[0].strip() for line in _lines("requirements.txt")}
    assert {*PROJECT["dependencies"]} == {need for need in needs if need and not need.startswith("pytest")}


def test_an_import_that_the_wheel_cannot_rewrite_is_refused() -> None:
    assert nested("import bpe\n") == "from merge_by_merge import bpe\n"
    assert nested("    from ui.show import text") == "    from merge_by_merge.ui.show import text"
    assert nested("from bpext import a") == "from bpext import a"
    assert nested('prog="python -m bpe"') == 'prog="bpe"'  # as pip installs it
    with pytest.raises(ValueError, match=r"which the wheel can rewrite: import bpe\.symbols"):
        nested("import bpe.symbols")


def test_the_changelog_has_the_version() -> None:
    assert re.search(
        rf"^## {re.escape(bpe.__version__)}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )


def test_the_api_page_names_every_public_name() -> None:
    missing = [name for name in bpe.__all__ if f"bpe.{name}" not in API]
    assert missing == []


@pytest.mark.parametrize("class_", [bpe.Trace, bpe.Tokenizer], ids=["Trace", "Tokenizer"])
def test_the_api_page_names_every_member(class_: type) -> None:
    members = [name for name in dir(class_) if not name.startswith("_")]
    assert [name for name in members if not re.search(rf"`[^`]*\b{name}\b[^`]*`", API)] == []


def test_the_api_page_names_only_what_exists() -> None:
    named = set(re.findall(r"`bpe\.(\w+)", API))
    assert {name for name in named if not hasattr(bpe, name) and find_spec(f"bpe.{name}") is None} == set()


def _lines(file: str) -> list[str]:
    return (ROOT / file).read_text("utf-8").splitlines()
