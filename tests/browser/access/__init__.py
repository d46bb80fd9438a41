"""Browser tests: access."""
