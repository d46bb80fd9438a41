"""Tests of tokenizers from files and published ones."""
