"""Bytes: one text from graphemes to tokens, its normal forms, and the spectrum from words to bytes."""
