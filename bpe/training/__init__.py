"""Training: from counted words to merges. Begin with `textbook`: `merge_loop` is the same loop, made fast."""
