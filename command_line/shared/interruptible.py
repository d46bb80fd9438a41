"""A training that reports its progress on the terminal and that Ctrl-C ends early."""

from bpe.text.display import counted
from bpe.trace.trace import Trace
from bpe.training.trainer import Training
from command_line.shared.terminal import caught_interrupts, progress_reports


def finish(training: Training) -> tuple[Trace, bool]:
    """Return the trace of a training, and whether Ctrl-C ended it early; then the trace has the merges so far."""
    with progress_reports() as report, caught_interrupts() as interrupted:
        for step in training:
            report(f"{counted(step.rank + 1, 'merge')}, the last pair occurred {counted(step.count, 'time')}")
            if interrupted():
                break
    return training.trace(), interrupted()
