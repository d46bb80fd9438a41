"""Browser tests: films."""
