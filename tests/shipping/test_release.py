"""A release: what its workflow, its documents and its metadata say agrees, and every licence is in the wheel."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import bpe
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


def test_publishing_needs_no_password_and_is_switched_on_by_the_owner() -> None:
    switch = re.search(r"vars\.(\w+) == 'true'", JOBS["publish"]["if"])
    assert switch
    assert f"`{switch[1]}`" in GUIDE
    assert JOBS["publish"]["permissions"] == {"id-token": "write"}
    assert f"environment `{JOBS['publish']['environment']['name']}`" in GUIDE.replace("\n", " ").replace(
        "   ", " "
    ).replace("  ", " ")
    assert "secrets." not in (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")


PINNED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def may_write(job: dict[str, Any]) -> bool:
    """Return whether a job can change something outside of itself."""
    return "write" in {*job.get("permissions", {}).values()}


def test_what_publishes_runs_actions_whose_code_cannot_change() -> None:
    writing: set[str] = set()
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        text = path.read_text("utf-8")
        used = re.findall(r"uses: (.+)$", text, re.MULTILINE)
        for name, job in yaml.safe_load(text)["jobs"].items():
            if path.stem != "release" and not may_write(job):
                continue
            writing.add(f"{path.stem} {name}")
            for step in job["steps"]:
                if action := step.get("uses"):
                    (line,) = {one for one in used if one.partition(" ")[0] == action}
                    assert PINNED.fullmatch(line), line
    assert {"release build", "release publish", "release release", "gallery publish"} <= writing


def test_what_the_workflow_installs_is_constrained() -> None:
    known = {line.partition("==")[0] for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()}
    (install,) = re.findall(r"^pip install (.+) -c constraints\.txt$", commands("build"), re.MULTILINE)
    assert {*install.split()} <= known


def test_the_tag_must_be_the_version() -> None:
    assert 'test "$GITHUB_REF_NAME" = "v$(python -m hatchling version)"' in commands("build")


def test_the_licences_of_all_that_is_shipped_are_in_the_wheel() -> None:
    files = {
        path.relative_to(ROOT).as_posix() for name in PROJECT["license-files"] for path in ROOT.glob(name)
    }
    assert {"LICENSE", "LICENSE-lessons.md"} <= files
    assert {*PROJECT["license"].split(" AND ")} == {"MIT", "Apache-2.0", "CC-BY-4.0"}
    # The expression replaces them.
    assert not [one for one in PROJECT["classifiers"] if one.startswith("License ::")]


# CITATION.cff says the same as the package.


def citation() -> dict[str, Any]:
    """Return the file's fields."""
    fields: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    return fields


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


# A green CI run means that every test ran, and that few were retried: tests/conftest.py checks both.

# Examples of skips: each is written to its own file, and must fail there under this project's conftest.
SKIPPERS = {
    "in_the_test": "import pytest\n\ndef test_it():\n    pytest.skip('no Chromium')\n",
    "by_a_mark": "import pytest\n\n@pytest.mark.skip(reason='no Chromium')\ndef test_it():\n    pass\n",
    "in_a_fixture": (
        "import pytest\n\n@pytest.fixture\ndef browser():\n    pytest.skip('no Chromium')\n\n"
        "def test_it(browser):\n    pass\n"
    ),
    "of_the_module": "import pytest\n\npytest.skip('no Chromium', allow_module_level=True)\n",
}


def run_pytest(folder: Path, skips: str, retries: str = "0") -> str:
    """Return what pytest prints about the folder, under this project's conftest."""
    plugins = ["-p", "tests.conftest", "-p", "pytest_rerunfailures"]
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", *plugins, "--continue-on-collection-errors"),
            *("--rootdir", str(folder), str(folder)),
        ],
        env=os.environ
        | {
            "MERGE_BY_MERGE_SKIPS": skips,
            "MERGE_BY_MERGE_RETRIES": retries,
            "PYTHONPATH": str(ROOT),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "",
        },
        capture_output=True,
        text=True,
        encoding="utf-8",
    ).stdout


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """Write the skippers, and two tests that fail once: one alone, one in a file with threads."""
    fails_once = "tries = []\n\ndef test_it():\n    tries.append(1)\n    assert len(tries) == 2\n"
    for name, source in SKIPPERS.items():
        (tmp_path / f"test_{name}.py").write_text(source, encoding="utf-8")
    (tmp_path / "test_alone.py").write_text(fails_once, encoding="utf-8")
    (tmp_path / "test_with_threads.py").write_text(f"import threading\n\n{fails_once}", encoding="utf-8")
    return tmp_path


def test_a_skip_of_any_kind_fails_where_skips_are_forbidden(examples: Path) -> None:
    output = run_pytest(examples, "forbidden")
    assert all(f"test_{name}.py" in output for name in SKIPPERS)
    assert "no Chromium" in output
    # A skip before the test itself counts as an error. Nobody asked to retry the two that fail once.
    assert "3 failed, 3 errors " in output


def test_ci_retries_a_test_with_threads_and_no_other_and_a_skip_is_only_a_skip_elsewhere(
    examples: Path,
) -> None:
    assert "1 failed, 1 passed, 4 skipped, 1 rerun " in run_pytest(examples, "", retries="1")
