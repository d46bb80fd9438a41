"""CITATION.cff says the same as the package, in the fields of its format."""

import re
import tomllib
from typing import Any

import yaml

import bpe
from tests import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# Of version 1.2.0 of the format: what a file must have, and what this one may have besides.
REQUIRED = {"cff-version", "message", "title", "authors"}
OPTIONAL = {
    "type",
    "abstract",
    "license",
    "version",
    "date-released",
    "keywords",
    "repository-code",
    "url",
    "doi",
}


def citation() -> dict[str, Any]:
    """Return the file's fields."""
    fields: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    return fields


def test_the_file_has_the_fields_of_its_format() -> None:
    fields = citation()
    assert fields["cff-version"] == "1.2.0"
    assert fields.keys() >= REQUIRED
    assert fields.keys() - REQUIRED <= OPTIONAL
    assert all({"name"} <= author.keys() or {"family-names"} <= author.keys() for author in fields["authors"])
    assert fields["type"] == "software"
    assert len(set(fields["keywords"])) == len(fields["keywords"])


def test_it_names_the_version_and_the_title_of_the_package() -> None:
    fields = citation()
    assert fields["version"] == bpe.__version__
    assert fields["title"].lower().replace(" ", "-") == PROJECT["name"]
    assert fields["license"] == PROJECT["license"].partition(" AND ")[0]  # of the software
    assert {*fields["keywords"]} <= {*PROJECT["keywords"]}
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    released = re.search(rf"^## {re.escape(bpe.__version__)} – (\S+)$", changelog, re.MULTILINE)
    assert released
    assert fields["date-released"] == released[1]
