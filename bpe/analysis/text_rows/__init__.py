"""One text in rows, for a picture: `alignment` from characters to tokens, `spectrum` from words to bytes.

`decoding` goes back from ids to text.
"""
