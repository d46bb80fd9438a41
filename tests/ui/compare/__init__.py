"""Tests of `ui/compare`."""
