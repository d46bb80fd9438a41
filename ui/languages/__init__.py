"""The parts of the page Languages."""
