"""Encoding: new text to tokens and ids with a trained vocabulary, and back.

Reading order: `tokenizer` is what callers use. `encoders` are the rows; `by_merges` and `by_vocabulary` are the two
ways to encode a word, from what `encoder_input` describes. `encode_steps` gives every state on the way, `offsets` the
characters of each token, `explain` the reason why two neighbours were, or were not, merged.
"""
