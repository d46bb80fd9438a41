"""How a tokenizer.json's words are spelled: as variants.

`file_variants` makes a variant from what the fields of a file say, and `marked_variants` those of two rare kinds of
files. `variant_rows` says how a file describes the rows of `VARIANTS`.
"""
