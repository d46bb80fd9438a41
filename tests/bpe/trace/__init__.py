"""Tests of `bpe/trace`."""
