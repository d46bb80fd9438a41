"""The documents name files that exist, every part of the project, and every row of a registry."""

import re
from pathlib import Path

import bpe
from tests import ROOT
from tests.house.test_architecture import FILES, PYTHON, read

DOCUMENTS = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/api.md",
    "docs/releasing.md",
]
PATH = re.compile(r"(?:[\w.-]+/)*[\w.-]+(?:\.(?:py|js|css|html|md|toml|txt|yml|png|svg)|/)")


def absent_files(document: str) -> set[str]:
    """Return the paths that a document links to or names in backquotes and that do not exist."""
    text = read(document)
    linked = {target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)}
    named = {code for code in re.findall(r"`([^`\n]+)`", text) if PATH.fullmatch(code)}
    tokens = {"screenshots/"}  # by docs/screenshots.py
    paths = {path for path in linked | named if path and not path.startswith(("http", ".venv"))} - tokens
    beside = (ROOT / document).parent
    names = {Path(path).name for path in FILES}  # `main.js`: there is one in many folders
    return {path for path in paths - names if not (ROOT / path).exists() and not (beside / path).exists()}


def test_documents_name_files_that_exist() -> None:
    assert {document: absent for document in DOCUMENTS if (absent := absent_files(document))} == {}


def part(path: str) -> str:
    """Return the entry of the map that a file belongs to. A folder stands for the files in it."""
    folders = path.split("/")[:-1]
    return (
        f"{folders[0]}/"
        if folders == ["command_line"]
        else "/".join(path.split("/")[:2]) + "/" * (len(folders) > 1)
    )


PARTS = sorted({part(path) for path in PYTHON})


def test_every_part_is_on_the_map() -> None:
    drawn = read("ARCHITECTURE.md").split("```")[1]
    assert [part for part in PARTS if not re.search(rf"\b{Path(part).stem}\b", drawn)] == []


def test_every_page_is_in_the_table_of_pages() -> None:
    pages = [part for part in PARTS if part.startswith("pages/")]
    assert [page for page in pages if f"(`{page}`) |" not in read("README.md")] == []
    assert pages


def test_the_table_of_trainers_is_the_registry() -> None:
    rows = [f"| `{row.slug}` | {row.title} | {row.checked} |" for row in bpe.PRESETS.values()]
    assert [row for row in rows if row not in read("README.md")] == []
