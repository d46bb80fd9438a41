"""Tests of `bpe/text`."""
