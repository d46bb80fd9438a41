"""Tests of patterns in files of other libraries."""
