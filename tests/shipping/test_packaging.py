"""The project installs with pip as one package; docs/api.md describes every public name."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterable
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
import tokenizers
from packaging.requirements import Requirement

import bpe
from bpe.formats import BY_MARK
from bpe.formats.hugging_face.decoders import _DECODERS
from bpe.formats.hugging_face.normalizers import _NORMALIZERS
from bpe.formats.hugging_face.pre_tokenizers import _PRE_TOKENIZERS
from bpe.formats.hugging_face.reading import _MODEL_FIELDS
from bpe.formats.regexes import compile_shared
from bpe.text.added_tokens import AddedToken
from command_line import commands
from hatch_build import STUDY, nested
from merge_by_merge.__main__ import NEEDED, main
from tests import ROOT
from tests.shipping.installed import environment, install, run

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
    study = (installed / "merge_by_merge" / STUDY).read_text("utf-8")  # a lesson draws it
    assert study == (ROOT / STUDY).read_text("utf-8")


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_the_core_needs_two_packages_and_the_app_is_an_extra() -> None:
    # tests/house/test_architecture.py holds what is not the app's to these and the standard library.
    needs = {line.partition("#")[0].strip() for line in _lines("requirements.txt")}
    extra = PROJECT["optional-dependencies"]["app"]
    assert [Requirement(need).name for need in PROJECT["dependencies"]] == ["regex", "rjsmin"]
    assert {*PROJECT["dependencies"], *extra} == {
        need for need in needs if need and not need.startswith("pytest")
    }
    assert sorted(Requirement(need).name.replace("-", "_") for need in extra) == [*NEEDED]


@pytest.mark.slow
def test_without_the_app_its_command_says_what_to_install(installed: Path) -> None:
    program = """
import sys
from merge_by_merge import __main__ as command

command.NEEDED += ("a_module_that_there_is_not",)
command.main([])
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=installed,
        env=environment(installed),
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == (
        'merge-by-merge: The app needs a_module_that_there_is_not: pip install ".[app]" in the cloned folder installs '
        "what it needs.\n"
    )


def test_nothing_tells_people_to_install_a_name_that_anybody_can_register() -> None:
    """Until the project holds its name on PyPI. docs/releasing.md says when this test may go."""
    by_name = re.compile(r"(?:install|--from|add|--with)\s+(?:[\"'`]|&quot;)*merge[-_.]by[-_.]merge\b")
    assert by_name.search('pip install "merge-by-merge[app]"')
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [
        path for path in tracked.splitlines() if Path(path).suffix in {".html", ".js", ".md", ".py", ".yml"}
    ]
    texts = {path: (ROOT / path).read_text("utf-8") for path in paths if not path.startswith("tests/")}
    assert [path for path, text in texts.items() if by_name.search(text)] == []


def test_only_imports_are_rewritten_in_the_wheel() -> None:
    assert nested("import bpe\n") == "from merge_by_merge import bpe\n"
    assert nested("import bpe as core") == "from merge_by_merge import bpe as core"
    assert nested("    from ui.view import text".strip()) == "from merge_by_merge.ui.view import text"
    assert nested("def f():\n    from ui.view import (\n        text,\n    )") == (
        "def f():\n    from merge_by_merge.ui.view import (\n        text,\n    )"
    )
    same = (
        "from bpext import a",
        'prog = "python -m bpe"',
        '"""Say\nfrom bpe.symbols import Pair\nimport bpe\n"""',
        'text = "é\u2028"  # import bpe\n\x0c',
    )
    assert [nested(source) for source in same] == [*same]
    with pytest.raises(ValueError, match=r"which the wheel can rewrite: import bpe\.symbols"):
        nested("import bpe.symbols")


@pytest.mark.slow
def test_the_wheel_says_what_the_sources_say(installed: Path) -> None:
    differing = []
    for path in (installed / "merge_by_merge").rglob("*.py"):
        inside = path.relative_to(installed / "merge_by_merge")
        source = ROOT / inside if (ROOT / inside).exists() else ROOT / "merge_by_merge" / inside
        if inside.name in ("__init__.py", "__main__.py") and len(inside.parts) == 1:
            source = ROOT / "merge_by_merge" / inside
        if _strings(path) != _strings(source):
            differing.append(inside)
    assert differing == []


def _strings(path: Path) -> list[str]:
    if "sample_corpora" in path.parts:
        return []
    constants = (
        node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)
    )
    return [value for value in constants if isinstance(value, str)]


@pytest.mark.slow
def test_the_examples_of_the_pages_run_with_the_installed_package(installed: Path, tmp_path: Path) -> None:
    for page in ("api.md", "README.md"):
        (file,) = [path for path in (ROOT / page, ROOT / "docs" / page) if path.exists()]
        examples = file.read_text("utf-8").replace(">>> import bpe\n", ">>> from merge_by_merge import bpe\n")
        (tmp_path / page).write_text(
            examples.replace(">>> from bpe.", ">>> from merge_by_merge.bpe."), "utf-8"
        )
        # The name of an error begins with that of its module, which is another one there.
        options = [
            option for name in ("IGNORE_EXCEPTION_DETAIL", "NORMALIZE_WHITESPACE") for option in ("-o", name)
        ]
        assert run(installed, "-m", "doctest", *options, str(tmp_path / page)) == ""


PROJECT_OF_THAT_NAME = "bpe==1.0"  # on PyPI, by others
MOST_MEGABYTES = 20
USE_THE_CORE = """
from importlib.util import find_spec
from merge_by_merge import bpe

trace = bpe.train("low low lower newest", merges=4)
assert "<iframe" in trace._repr_html_()
assert bpe.__version__ == __import__("importlib.metadata").metadata.version("merge-by-merge")
theirs = find_spec("bpe").origin  # of the other project
assert theirs != bpe.__file__ and "Encoder" in open(theirs).read()
"""


@pytest.mark.weekly
def test_the_core_is_installed_alone(tmp_path: Path) -> None:
    """Needs PyPI, from which pip takes the two packages and the other project called `bpe`."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(ROOT)], check=True
    )
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "bare")
    programs = tmp_path / "bare" / ("Scripts" if os.name == "nt" else "bin")
    into = [*pip, "--python", str(programs / "python"), "install"]
    subprocess.run([*into, str(wheel)], check=True)
    (site,) = (tmp_path / "bare").rglob("site-packages")
    names = {path.name for path in site.iterdir() if not path.name.endswith(".dist-info")}
    modules = {name.partition(".")[0].removeprefix("_") for name in names - {"__pycache__"}}
    assert modules == {"merge_by_merge", "regex", "rjsmin"}
    megabytes = sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) / 1_000_000
    assert megabytes < MOST_MEGABYTES
    for page in (API, (ROOT / "README.md").read_text("utf-8")):
        assert f"three packages, under {MOST_MEGABYTES} MB" in " ".join(page.split())
    subprocess.run([*into, "--no-deps", PROJECT_OF_THAT_NAME], check=True)

    def said(*command: str, code: int = 0) -> str:
        outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(
            command, cwd=tmp_path, env=outside, check=False, capture_output=True, text=True, encoding="utf-8"
        )
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    core = str(programs / "bpe")
    (tmp_path / "text.txt").write_text("low low low lower lower newest newest newest\n" * 9, "utf-8")
    said(str(programs / "python"), "-c", USE_THE_CORE)
    assert said(core, "--version").strip() == f"bpe {bpe.__version__}"
    assert said(core, code=2).startswith("usage: bpe ")
    assert "  bpe encode -t tokenizer.json" in said(core, "encode", "--help")
    said(core, "film", "text.txt", "-o", "film.html", "--merges", "4")
    said(core, "compare", "text.txt", "--lanes", "first,last", "--merges", "4", "-o", "tables.csv")
    assert (tmp_path / "film.html").stat().st_size > 50_000
    assert "Tokens" in (tmp_path / "tables.csv").read_text("utf-8")
    app = str(programs / "merge-by-merge")
    assert said(app, "--version").strip() == f"merge-by-merge {bpe.__version__}"
    assert 'pip install ".[app]" in the cloned folder installs what it needs' in said(app, code=2)


@pytest.mark.slow
@pytest.mark.parametrize("layer", ["bpe", "film"])
def test_type_checkers_find_the_types_of_the_installed_package(installed: Path, layer: str) -> None:
    assert (installed / "merge_by_merge" / layer / "py.typed").exists()


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
    options = sorted(_MODEL_FIELDS - {"type", "vocab", "merges", "dropout"})
    others = _refused(tokenizers.models, tokenizers.models.Model, ["BPE"])
    changes = sorted(_NORMALIZERS)
    no_changes = _refused(tokenizers.normalizers, tokenizers.normalizers.Normalizer, changes)
    splits = sorted(["Sequence", *_PRE_TOKENIZERS])
    no_splits = _refused(tokenizers.pre_tokenizers, tokenizers.pre_tokenizers.PreTokenizer, splits)
    joins = sorted(_DECODERS)
    no_joins = _refused(tokenizers.decoders, tokenizers.decoders.Decoder, joins)
    flags = ["content", *(field.name for field in fields(AddedToken) if field.name not in ("text", "id"))]
    rows = (
        ("part of tokenizer.json", "read", "refused or ignored"),
        ("---", "---", "---"),
        ("model", f"BPE, with {_in_code(options)}", f"{others} are refused; `dropout` is ignored"),
        ("normalizer", ", ".join(changes), f"{no_changes} are refused"),
        (
            "pre_tokenizer",
            ", ".join(splits),
            f"{no_splits}, Metaspace after ByteLevel and a second ByteLevel are refused, and patterns that libraries "
            f"read differently ({_in_code(UNLIKE)}, …)",
        ),
        ("decoder", ", ".join(joins), f"{no_joins} is ignored: text is joined from the tokens"),
        (
            "added_tokens",
            _in_code(flags),
            "`id` is what the library gives, whatever the file says; a note names the others",
        ),
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
        unnamed = [
            row.slug
            for row in BY_MARK
            if row.file_name not in whole and "".join(row.title.split()) not in whole
        ]
        assert unnamed == [], name


def _lines(file: str) -> list[str]:
    return (ROOT / file).read_text("utf-8").splitlines()
