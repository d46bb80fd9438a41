"""Tests of the lessons, and of every fact in them."""
