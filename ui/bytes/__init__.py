"""Bytes: one text from graphemes to tokens, its normal forms, and the spectrum from words to bytes.

In the order of the page: `text_field`, `normal_forms`, `unicode_rows` with `byte_recipe` (the switch to a recipe on
bytes), and `spectrum_section`.
"""
