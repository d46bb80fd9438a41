"""Tests of `bpe/relatives`."""
