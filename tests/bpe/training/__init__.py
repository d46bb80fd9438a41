"""Tests of `bpe/training`."""
