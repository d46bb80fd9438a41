"""Analysis: what trainings and encodings have in common, what they cost, and how they can be shown.

`ties` says whether ties mattered. `comparison` and `word_comparison` compare several trainings, `compression` counts
what a text costs. `vocabulary` lists every token at a step, with its merge tree. `alignment`, `spectrum` and `decoding`
make the rows in which one text is shown from characters to tokens.
"""
