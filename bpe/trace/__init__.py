"""Trace: the decisions of a training, from which every step is derived. Begin with `trace`."""
