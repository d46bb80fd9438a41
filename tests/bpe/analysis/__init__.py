"""Tests of `bpe/analysis`."""
