"""Encoding: new text to tokens and ids with a trained vocabulary, and back.

Reading order: `tokenizer` is what callers use. `encoders` is the registry; `by_merges` and `by_vocabulary` are the two
ways to encode a word, and `encoder_input` describes their input and output. `encode_steps` encodes a text step by step,
`offsets` locates each token in the text, `explain` tells why two neighbours were, or were not, merged.
"""
