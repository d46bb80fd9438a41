"""Tests of the film layer."""
