"""Hugging Face's tokenizer.json, read and written.

`read_tokenizer_json` reads a file: its vocabulary and merges, and with `text_reading` how it treats text. That uses
`normalizers`, `pre_tokenizers`, `bert`, `decoders` and `added_tokens`, one for each field of the file; `parts` reads
their objects. `variants` is how words are spelled. `file_source` holds the other parts of a file, so that it can be
written again.

`tokenizer_json` writes a file.
"""
