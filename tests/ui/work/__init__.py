"""Tests of `ui/work`."""
