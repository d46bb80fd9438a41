"""Analysis: functions that compare, measure and lay out trainings and encodings.

`ties` tells whether ties mattered. `comparison` and `word_comparison` compare several trainings. `compression` counts
the tokens of a text. `vocabulary` lists every token at a step, with its merge tree. `alignment`, `spectrum` and
`decoding` build rows that show one text from characters to tokens.

`evidence` is all that a held-out text tells about the difference between lanes. Read `held_out`, `held_out_words`,
`unit_tokens`, `unit_sums`, `bootstrap`, `vocabulary_agreement`, `text_overlap` and `random_draws`, then `verdict`,
which decides, and `verdict_text`, which puts it in sentences: those of `headline` are the answer, those of
`evidence_text` what it rests on.
"""
