"""One text in rows, for a picture: `alignment` from characters to tokens, `spectrum` from words to bytes.

`typed_text` is the text under any tokenizer. `decoding` goes back from ids to text.
"""
