"""Tests of the studies in benchmarks/."""
