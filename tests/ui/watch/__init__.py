"""Tests of `ui/watch`."""
