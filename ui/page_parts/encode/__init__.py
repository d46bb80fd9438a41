"""The parts of the page Encode."""
