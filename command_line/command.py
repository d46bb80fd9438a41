"""Command: one command of the command line, as a row."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `run` returns the exit code and raises BPEError for a request that cannot be met."""

    name: str
    help: str  # in the list of commands
    description: str  # one sentence: what goes in -> what comes out
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    examples: str = ""  # shown at the end of --help
