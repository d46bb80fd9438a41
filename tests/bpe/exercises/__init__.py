"""Tests of `bpe/exercises`."""
