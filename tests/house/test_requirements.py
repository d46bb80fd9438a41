"""The requirements allow what the tests have seen, constraints.txt names it, and a newer release is noticed."""

import re
import xml.etree.ElementTree as ET

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests import ROOT
from tests.newest import FILES, culprits, failures, newer, report

CALENDAR = {"regex"}  # its versions are dates: they name no minor version
CONSTRAINTS = {
    canonicalize_name(name): Version(version)
    for name, _, version in (
        line.partition("==")
        for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
        if not line.startswith("#")
    )
}


def requirements(file: str) -> list[Requirement]:
    """Return the requirements of a file."""
    lines = (ROOT / file).read_text("utf-8").splitlines()
    return [
        Requirement(line.partition(" #")[0]) for line in lines if line and not line.startswith(("#", "-r"))
    ]


NEEDED = [need for file in FILES for need in requirements(file)]


@pytest.mark.parametrize("need", NEEDED, ids=lambda need: need.name)
def test_a_constraint_is_in_the_range_of_its_requirement(need: Requirement) -> None:
    assert CONSTRAINTS[canonicalize_name(need.name)] in need.specifier


@pytest.mark.parametrize("need", requirements("requirements.txt"), ids=lambda need: need.name)
def test_the_app_takes_only_the_minor_version_that_the_tests_have_seen(need: Requirement) -> None:
    seen = CONSTRAINTS[canonicalize_name(need.name)]
    assert f"{seen.major}.{seen.minor}.99" in need.specifier
    assert (f"{seen.major}.{seen.minor + 1}.0" in need.specifier) == (need.name in CALENDAR)
    assert f"{seen.major + 1}.0" not in need.specifier


def test_every_week_the_tests_run_with_the_newest_releases() -> None:
    workflow = (ROOT / ".github" / "workflows" / "newest.yml").read_text("utf-8")
    assert re.search(r'cron: "\d+ \d+ \* \* [0-6]"', workflow)
    assert "python -m tests.newest" in workflow


def test_the_update_that_breaks_a_test_is_named() -> None:
    breaks = {"streamlit": {"a", "b"}, "plotly": set(), "pandas": {"b"}}
    blamed = culprits(["a", "b", "c"], breaks, breaks.__getitem__)
    assert blamed == {"streamlit": ["a", "b"], "pandas": ["b"]}
    text = report({"streamlit": "2.0", "plotly": "8.0", "pandas": "4.0"}, ["a", "b", "c"], blamed)
    assert "- streamlit 2.0 breaks 2: a, b" in text
    assert "- no single update breaks c" in text
    assert "- plotly 8.0" in text


def test_the_failed_tests_of_a_run_are_read() -> None:
    cases = (
        '<testcase file="t.py" name="a"><failure/></testcase><testcase file="t.py" name="b"/>'
        '<testcase file="t.py" name="c[1]"><error/></testcase>'
    )
    assert failures(ET.fromstring(f"<testsuites>{cases}</testsuites>")) == ["t.py::a", "t.py::c[1]"]


def test_a_package_that_is_new_is_no_update() -> None:
    assert newer({"regex": "1"}, {"regex": "2", "other": "1"}) == {"regex": "2"}
