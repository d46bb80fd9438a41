"""Encoding: new text to tokens and ids with a trained vocabulary, and back.

Reading order: `tokenizer` is what callers use. `encoders` is the registry, and `encoder_input` describes the input and
output of its rows. `by_merges` and `by_vocabulary` are the two ways to encode a word; `by_dropout` and `by_trimming`
vary the first. Files may ask for `one_by_one` and `whole_words`. `encode_steps` encodes a text step by step, `offsets`
locates each token in the text, `explain` tells why two neighbours were, or were not, merged.

`batch` encodes many texts at once, in other processes too, and opens and saves tokenizers.

`merge_table`, `token_cache` and `vocabulary_ids` are the tables behind these. `typed_vocabulary` reads tokens that
somebody wrote down, and `source` says how a file spells tokens.
"""
