"""Browser tests: pages."""
