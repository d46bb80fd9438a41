"""Text: from text to pre-tokens to words of initial symbols, and back.

Reading order: `variants` is the registry, `variant` defines its rows, `patterns` and `spelling` hold the functions that
rows are made of. `normalizations` lists what can be done to a text before it is split, `normalizer` does it.
`matches` finds where a pattern matches. `pattern_size` measures a pattern before it is compiled, `group_calls` refuses
one that calls its own groups, and `alternatives` separates its branches.
`counting` counts pre-tokens, of files too (`file_chunks`); `safe_cuts` finds where a long text can be split without
splitting a pre-token. `superwords` makes the looser split of a second stage. `special_tokens` splits a text at its
special tokens, and `added_tokens` finds those of a file, ordinary ones too. `display` writes symbols for people
(`invisible` names characters that cannot be seen), `spreadsheet` writes texts for CSV files, and `initial_symbols`
returns the initial symbols of a token.
"""
