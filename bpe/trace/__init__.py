"""Trace: the recorded training, and any of its steps again without training again."""
