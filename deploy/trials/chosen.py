"""The trials that a command names: `python -m deploy.trials.check [TRIAL …]`, and the same for containers."""

import argparse
from collections.abc import Callable, Mapping


def chosen_trials(
    description: str | None, trials: Mapping[str, Callable[[], None]]
) -> list[Callable[[], None]]:
    """Return the trials that the command names, or all. An unknown name ends the program with a sentence."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("trials", nargs="*", metavar="TRIAL", help=f"one or more of {', '.join(trials)}")
    chosen = parser.parse_args().trials or list(trials)
    if unknown := {*chosen} - {*trials}:
        parser.error(f"there is no trial {', '.join(sorted(unknown))}")
    return [trials[name] for name in chosen]
