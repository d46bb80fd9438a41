"""Vocabulary: every token at a step, searched and looked into, and what the vocabulary does while it grows."""
