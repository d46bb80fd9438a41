"""Tests of `bpe/formats`."""
