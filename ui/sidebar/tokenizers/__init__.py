"""Tokenizers from files: `tokenizer_files` opens them, `tokenizer_splits` are how one may split text.

`expected_tokenizer` is the one that a share file asks for.
"""
