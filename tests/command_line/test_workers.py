"""Work in other processes: it gives the same results, and ends soon after the command does."""

import argparse
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bpe
from bpe.training.trainer import train_in_processes
from command_line.terminal import number_of_workers, workers
from tests import ROOT
from tests.material.texts import SENTENCES

SETTINGS = (
    {"variant": "bytes-gpt2", "tie_break": "first", "merges": 20},
    {**bpe.PRESETS["sentencepiece"].settings, "merges": 20},
    {"variant": "bytes-gpt2", "tie_break": "random", "seed": 3, "merges": 20},
    {"variant": "bytes-gpt2", "merges": 20, "second_pattern": "lines", "second_after": 8},
)


def test_trainings_in_other_processes_have_the_same_traces_in_the_same_order() -> None:
    with workers(2) as executor:
        assert executor
        traces = list(train_in_processes(SENTENCES, SETTINGS, executor))
    for trace, settings in zip(traces, SETTINGS, strict=True):
        here = bpe.train(SENTENCES, **settings)
        assert trace.merges == here.merges
        assert trace.settings == here.settings
        assert trace.log.tied == here.log.tied
        for k in (0, 8, 20):
            assert trace.words_at(k) == here.words_at(k)
            assert trace.tie(k) == here.tie(k)


def test_any_executor_can_train() -> None:
    with ThreadPoolExecutor(1) as executor:
        (trace,) = train_in_processes("low lower", [{"merges": 1}], executor)
    assert trace.merges == [(b"l", b"o")]


def test_a_wrong_setting_is_refused_before_any_training_begins() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(bpe.BPEError, match="merges"):
        train_in_processes("low", [{"merges": 1}, {"merges": -1}], executor)


def test_one_worker_is_this_process() -> None:
    with workers(1) as executor:
        assert executor is None


@pytest.mark.parametrize("text", ["0", "-1", "two", "65", "9" * 5000, ""])
def test_a_number_of_workers_is_a_small_whole_number(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="from 1 to 64"):
        number_of_workers(text)


LONG = """
import sys
from command_line.commands import main
sys.exit(main(["compare", sys.argv[1], "--lanes", "first,last", "--workers", "2", "--merges", "100000",
               "--variant", "bytes"]))
"""


def test_ctrl_c_ends_the_workers_in_the_middle_of_their_trainings(tmp_path: Path) -> None:
    """Ctrl-C in a terminal reaches the command and its workers alike."""
    text = tmp_path / "text.txt"
    text.write_text("".join(f"{number * 7919:x}z{number * 104729:o}\n" for number in range(20_000)), "utf-8")
    command = subprocess.Popen(
        [sys.executable, "-c", LONG, str(text)],
        cwd=ROOT,
        start_new_session=True,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    until = time.monotonic() + 60
    while len(children(command.pid)) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    started = children(command.pid)
    time.sleep(0.5)
    os.killpg(command.pid, signal.SIGINT)
    _, errors = command.communicate(timeout=30)
    assert len(started) >= 2
    assert command.returncode != 0
    assert b"Traceback" not in errors
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()]


def children(pid: int) -> list[int]:
    """Return the ids of the processes that a process has started."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return list(map(int, path.read_text("ascii").split())) if path.exists() else []
