"""The parts of the page Watch."""
