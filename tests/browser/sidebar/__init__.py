"""Browser tests: sidebar."""
