"""Training: from counted words to merges. Read `textbook` first, then `trainer` for the fast version."""
