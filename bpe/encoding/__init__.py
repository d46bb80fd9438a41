"""Encoding: new text to tokens and ids with a trained vocabulary, and back.

Reading order: `tokenizer` is what callers use. `encoders` is the registry of the ways to encode a word, which are in
`algorithms`. `encode_steps` encodes a text step by step, `offsets` locates each token in the text, `explain` tells why
two neighbours were, or were not, merged.

`batch` encodes many texts at once, in other processes too, and opens and saves tokenizers.

`token_cache` and `vocabulary_ids` are tables behind these. `typed_vocabulary` reads tokens that somebody wrote down,
and `source` says how a file spells tokens.
"""
