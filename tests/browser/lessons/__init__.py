"""Browser tests: lessons."""
