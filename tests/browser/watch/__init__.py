"""Browser tests: watch."""
