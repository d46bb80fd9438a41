"""Tokenizers: `tokenizer_files` opens those from files, `published_files` those that come with the app.

`tokenizer_splits` are how a file's tokenizer may split text. `expected_tokenizer` is the one that a share file uses.
"""
