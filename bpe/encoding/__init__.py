"""Encoding: new text to tokens and ids with a trained vocabulary, and back. Begin with `tokenizer`."""
