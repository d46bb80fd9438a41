"""Tests of tokenizer.json."""
