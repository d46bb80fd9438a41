"""Tests of `bpe/significance`."""
