"""Tests of `bpe/encoding`."""
