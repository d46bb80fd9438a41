"""Tests of the report of a comparison."""
