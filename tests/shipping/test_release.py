"""A release: what its workflow, its documents and its metadata say agrees, and every licence is in the wheel."""

import re
import tomllib

import yaml

from tests import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))
JOBS = WORKFLOW["jobs"]
GUIDE = (ROOT / "docs" / "releasing.md").read_text("utf-8")


def needed(job: str) -> set[str]:
    """Return the jobs that a job waits for, also through others."""
    before = JOBS[job].get("needs", [])
    direct = {before} if isinstance(before, str) else set(before)
    return direct.union(*(needed(one) for one in direct))


def commands(job: str) -> str:
    """Return the commands of a job."""
    return "\n".join(step.get("run", "") for step in JOBS[job]["steps"])


def test_nothing_is_published_that_was_not_tried() -> None:
    for job in ("publish", "release"):
        assert {"build", "try", "gallery"} <= needed(job)
        assert "github.ref_type == 'tag'" in JOBS[job]["if"]
    assert "deploy/try_wheel.py" in commands("try")


def test_the_wheel_is_tried_on_three_systems_with_the_oldest_and_the_newest_python() -> None:
    matrix = JOBS["try"]["strategy"]["matrix"]
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert matrix["python"] == [oldest, "3.x"]


def test_publishing_needs_no_password_and_is_switched_on_by_the_owner() -> None:
    switch = re.search(r"vars\.(\w+) == 'true'", JOBS["publish"]["if"])
    assert switch
    assert f"`{switch[1]}`" in GUIDE
    assert JOBS["publish"]["permissions"] == {"id-token": "write"}
    assert f"environment `{JOBS['publish']['environment']['name']}`" in GUIDE.replace("\n", " ").replace(
        "   ", " "
    ).replace("  ", " ")
    assert "secrets." not in (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")


def test_the_tag_must_be_the_version() -> None:
    assert 'test "$GITHUB_REF_NAME" = "v$(python -m hatchling version)"' in commands("build")


def test_the_licences_of_all_that_is_shipped_are_in_the_wheel() -> None:
    files = {
        path.relative_to(ROOT).as_posix() for name in PROJECT["license-files"] for path in ROOT.glob(name)
    }
    assert {"LICENSE", "LICENSE-lessons.md"} <= files
    assert {*PROJECT["license"].split(" AND ")} == {"MIT", "Apache-2.0", "CC-BY-4.0"}
    assert not [
        one for one in PROJECT["classifiers"] if one.startswith("License ::")
    ]  # the expression replaces them
