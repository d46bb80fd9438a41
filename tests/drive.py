"""Long drives through the app, without a browser: `python -m tests.drive [VISITS [ACTIONS]]`.

Each visit is a session in which a person does anything in any order; tests/visit.py says what holds after each action.
A visit that fails is printed as a list of its actions.
"""

import sys
from time import process_time

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.visit import Visit


def drive_visits(visits: int, actions: int) -> None:
    """Make so many visits of at most so many actions. Raises what the first that fails raises."""
    run_state_machine_as_test(
        Visit,
        settings=settings(
            max_examples=visits,
            stateful_step_count=actions,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),  # a visit is slow, and a busy machine slower
            # A failed visit is printed as it was: a search for a shorter one takes minutes.
            phases=[Phase.generate],
        ),
    )


def main() -> None:
    """Make visits, and print their number and their time."""
    visits, actions = [*map(int, sys.argv[1:]), *(100, 30)[len(sys.argv) - 1 :]]
    before = process_time()
    drive_visits(visits, actions)
    print(
        f"{visits} visits of up to {actions} actions: {process_time() - before:.0f} s of CPU, nothing wrong"
    )


if __name__ == "__main__":
    main()
