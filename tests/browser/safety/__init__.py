"""Browser tests: safety."""
