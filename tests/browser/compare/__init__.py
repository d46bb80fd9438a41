"""Browser tests: compare."""
