"""Tests of `ui/sidebar`."""
