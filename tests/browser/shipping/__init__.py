"""Browser tests: shipping."""
