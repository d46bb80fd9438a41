"""Tests of `ui/trainings`."""
