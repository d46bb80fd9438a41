"""Benchmarks: scripts that print what the app is held to."""
