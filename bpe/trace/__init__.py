"""Trace: the decisions of a training, from which every step can be derived without training again. Begin with `trace`."""
