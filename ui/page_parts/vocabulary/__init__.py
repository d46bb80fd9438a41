"""The parts of the page Vocabulary."""
