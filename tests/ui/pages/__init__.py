"""Tests of the smaller pages, and of what all pages claim."""
