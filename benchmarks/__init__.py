"""Benchmarks: scripts that print measurements, and the bounds that they must keep."""
