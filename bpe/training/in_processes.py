"""Several trainings at once, each in another process: one process of Python computes on one core only."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import fields
from typing import Any

from bpe.checkpoints import checkpoint
from bpe.settings.read_request import read_request
from bpe.settings.request import Text
from bpe.trace.trace import Trace
from bpe.training.trainer import train_steps

Fields = Mapping[str, Any]  # the fields of a trace, by name


def train_in_processes(
    text: Text, settings_of_all: Sequence[Mapping[str, Any]], executor: Executor
) -> Iterator[Trace]:
    """Train on the text once for each of the settings; yield the traces in this order, each when it is there.

    `settings` are those of `bpe.train`, with slugs. `executor`: any `concurrent.futures.Executor`, whose workers train.
    All trainings begin before the first trace is asked for. Raises BPEError as `bpe.train` does.
    """
    requests = [read_request(**settings) for settings in settings_of_all]  # raises before any training begins
    futures = [executor.submit(train_in_worker, text, dict(settings)) for settings in settings_of_all]
    return (
        Trace(request=request, **future.result()) for request, future in zip(requests, futures, strict=True)
    )


def train_in_worker(text: Text, settings: Mapping[str, Any]) -> Fields:
    """Train, and return the fields of the trace without its request, whose functions no process can send."""
    training = train_steps(text, **settings)
    for _ in training:
        checkpoint()
    trace = training.trace()
    return {field.name: getattr(trace, field.name) for field in fields(trace) if field.name != "request"}
