"""What happens to a text before it is split into pre-tokens.

`normalizations` lists how a training can change its text, and `normalizer` changes it. `alignment` says where the
characters of a changed text come from. `special_tokens` splits a text
at its special tokens, and `added_tokens` finds those of a file, ordinary ones too.
"""
