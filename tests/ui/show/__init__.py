"""Tests of `ui/show`."""
