"""The project installs with pip as one package; docs/api.md describes every public name."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
import tokenizers

import bpe
from bpe.formats import BY_MARK
from bpe.formats.hugging_face.decoders import DECODERS
from bpe.formats.hugging_face.normalizers import NORMALIZERS
from bpe.formats.hugging_face.pre_tokenizers import PRE_TOKENIZERS
from bpe.formats.hugging_face.reading import MODEL_FIELDS
from bpe.formats.regexes import compile_shared
from bpe.text.added_tokens import AddedToken
from command_line import commands
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


def _in_code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _refused(module: ModuleType, kind: type, known: Iterable[str]) -> str:
    """Return the classes of a kind in a module of the library that are not known here."""
    theirs = {
        name
        for name, one in vars(module).items()
        if isinstance(one, type) and issubclass(one, kind) and one is not kind
    }
    return ", ".join(sorted(theirs - {*known}))


def table_of_parts() -> list[str]:
    """Return the rows that docs/api.md has on the parts of a tokenizer.json, from the readers and from the library."""
    options = sorted(MODEL_FIELDS - {"type", "vocab", "merges", "dropout"})
    others = _refused(tokenizers.models, tokenizers.models.Model, ["BPE"])
    changes = sorted(NORMALIZERS)
    no_changes = _refused(tokenizers.normalizers, tokenizers.normalizers.Normalizer, changes)
    splits = sorted(["Sequence", *PRE_TOKENIZERS])
    no_splits = _refused(tokenizers.pre_tokenizers, tokenizers.pre_tokenizers.PreTokenizer, splits)
    joins = sorted(DECODERS)
    no_joins = _refused(tokenizers.decoders, tokenizers.decoders.Decoder, joins)
    flags = ["content", *(field.name for field in fields(AddedToken) if field.name != "text")]
    rows = (
        ("part of tokenizer.json", "read", "refused or ignored"),
        ("---", "---", "---"),
        ("model", f"BPE, with {_in_code(options)}", f"{others} are refused; `dropout` is ignored"),
        ("normalizer", ", ".join(changes), f"{no_changes} are refused"),
        (
            "pre_tokenizer",
            ", ".join(splits),
            f"{no_splits} are refused, and patterns that libraries read differently ({_in_code(UNLIKE)}, …)",
        ),
        ("decoder", ", ".join(joins), f"{no_joins} is ignored: text is joined from the tokens"),
        ("added_tokens", _in_code(flags), ""),
        ("post_processor, truncation, padding", "", "ignored: they change no token of a text"),
    )
    return [f"| {' | '.join(cells)} |".replace("|  |", "| |").replace("|  |", "| |") for cells in rows]


UNLIKE = (r"\w", "$")


def test_the_api_page_says_which_parts_of_a_tokenizer_json_are_read() -> None:
    start = API.index("| part of tokenizer.json |")
    assert API[start : API.index("\n\n", start)].splitlines() == table_of_parts()
    for pattern in UNLIKE:
        with pytest.raises(bpe.BPEError, match="which other libraries may read differently"):
            compile_shared(pattern, ("tokenizer.json", "pattern"))


def test_the_page_and_the_command_name_every_file_that_can_be_opened(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        commands.main(["compare", "--help"])
    texts = {
        "open_tokenizer": re.search(
            r"^`bpe.formats.opening.open_tokenizer.+?\n\n", API, re.MULTILINE | re.DOTALL
        ),
        "lane": re.search(r"^A lane is the slug of.+?\n\n", API, re.MULTILINE | re.DOTALL),
        "--lanes": re.search(r"^  --lanes.+?^  -", capsys.readouterr().out, re.MULTILINE | re.DOTALL),
    }
    for name, text in texts.items():
        assert text, name
        whole = "".join(text[0].split())  # the terminal breaks lines
        unnamed = [row.slug for row in BY_MARK if row.file_name not in whole and row.title not in whole]
        assert unnamed == [], name


def _lines(file: str) -> list[str]:
    return (ROOT / file).read_text("utf-8").splitlines()
