"""Tests of films as HTML."""
