"""Limits from the environment: each reaches the code that keeps it, and a wrong value gets one sentence."""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from merge_by_merge.__main__ import main
from tests import ROOT
from tests.app import open_app
from ui.work import limits
from ui.work.limits import LIMITS, UPLOAD, Limit, problems

# limit: (module, constant, its unit)
USED = {
    "MEMORY_MB": ("ui.work.memory_budget", "MOST", 10**6),
    "VISITOR_MB": ("ui.trainings.training", "MOST", 10**6),
    "VISITOR_UPLOADS_MB": ("ui.work.memory_budget", "OF_VISITOR", 10**6),
    "UPLOADS_MB": ("ui.work.memory_budget", "OF_ALL", 10**6),
    "PATTERN_MB": ("ui.work.pattern_search", "MOST_MEMORY", 10**6),
    "TRAININGS": ("ui.work.jobs", "AT_ONCE", 1),
    "UPLOAD_MB": ("ui.sidebar.corpus", "MOST_UPLOADED", 10**6),
    "PASTED_CHARACTERS": ("ui.sidebar.corpus", "MOST_PASTED", 1),
    "MERGES": ("ui.sidebar.settings", "MOST_MERGES", 1),
    "TRACES_MB": ("ui.trainings.running_training", "MOST_BYTES", 10**6),
    "STOPPED_MB": ("ui.trainings.running_training", "MOST_STOPPED", 10**6),
    "TOKENIZERS_MB": ("ui.sidebar.tokenizer_files", "MOST_CACHED", 10**6),
    "PUBLISHED_MB": ("ui.sidebar.tokenizer_files", "MOST_PUBLISHED", 10**6),
}
WRONG = {
    "a word": "many",
    "too few": "0",
    "too many": "501",
    "a fraction": "2.5",
    "signed": "-3",
    "digits of another script": "٣",
    "endless": "9" * 5_000,
}


def used() -> dict[str, int]:
    """Return the constants of this process, by limit."""
    return {
        name: getattr(importlib.import_module(module), constant) // unit
        for name, (module, constant, unit) in USED.items()
    }


def used_with(variables: Mapping[str, str]) -> Any:
    """Return the constants of a process with these environment variables, by limit."""
    program = "import json; from tests.ui.work.test_limits import used; print(json.dumps(used()))"
    environment = os.environ | variables
    return json.loads(subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, env=environment))


def test_without_variables_every_limit_is_its_default() -> None:
    assert used_with({}) == {limit.name: limit.default for limit in LIMITS}
    assert all(limit.least <= limit.default <= limit.most for limit in LIMITS)


def test_every_limit_reaches_the_code_that_keeps_it() -> None:
    set_ = {limit: limit.least + 1 if limit.default != limit.least + 1 else limit.least for limit in LIMITS}
    set_ = {limit: min(value, limit.most) for limit, value in set_.items()}
    variables = {limit.variable: str(value) for limit, value in set_.items()}
    assert used_with(variables) == {limit.name: value for limit, value in set_.items()}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_wrong_value_gets_one_sentence_and_leaves_the_default(text: str) -> None:
    environment = {UPLOAD.variable: text}
    (problem,) = problems(environment)
    assert problem.startswith(
        "MERGE_BY_MERGE_MOST_UPLOAD_MB must be a whole number from 1 to 500, but it is '"
    )
    assert len(problem) < 130
    assert UPLOAD.value(environment) == UPLOAD.default


def test_an_empty_variable_is_the_default() -> None:
    assert problems({UPLOAD.variable: " "}) == []
    assert UPLOAD.value({UPLOAD.variable: " "}) == UPLOAD.default
    assert UPLOAD.value({UPLOAD.variable: " 7 "}) == 7


def test_a_mistyped_name_is_a_problem() -> None:
    (problem,) = problems({"MERGE_BY_MERGE_MOST_UPLAOD_MB": "5", "MERGE_BY_MERGE_SKIPS": "forbidden"})
    assert problem.startswith(
        "MERGE_BY_MERGE_MOST_UPLAOD_MB is not the name of a limit. The limits are MERGE_BY_"
    )


def test_the_table_can_be_read_as_an_environment_file() -> None:
    lines = [line for line in limits.table({UPLOAD.variable: "7"}).splitlines() if not line.startswith("#")]
    environment = dict(line.split("=") for line in lines)
    assert [*environment] == [limit.variable for limit in LIMITS]
    assert environment[UPLOAD.variable] == "7"


def test_the_command_and_the_app_refuse_to_begin_with_a_wrong_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(Limit("TRAININGS", "", 2, 1, 64).variable, "*two*")
    with pytest.raises(SystemExit, match=r"must be a whole number from 1 to 64, but it is '\*two\*'\."):
        main([])
    at = open_app()
    assert [error.value for error in at.error] == [
        r"MERGE\_BY\_MERGE\_MOST\_TRAININGS must be a whole number from 1 to 64, but it is '\*two\*'."
    ]
    assert not at.sidebar.selectbox
