"""Tests of `ui/encode`."""
