"""Analysis: functions that compare, measure and lay out trainings and encodings.

For one training, `ties` tells whether ties mattered, `best_pairs` and `merge_ranks` look at its steps, and `ending`
says why it ended. `compression` counts the tokens of a text. `vocabulary` lists every token at a step, with its merge
tree, and `trimming` those that the vocabulary could do without. `alignment`, `spectrum` and `decoding` build rows that
show one text from characters to tokens.

`comparison` and `word_comparison` compare several trainings. `languages` compares named documents by the metrics in
`language_metrics`.

`evidence` is all that a held-out text tells about the difference between lanes. Read `held_out`, `default_held_out`,
`held_out_words`, `unit_tokens`, `unit_sums`, `bootstrap`, `vocabulary_agreement`, `text_overlap` and `random_draws`,
then `verdict`, which decides, and `verdict_text`, which puts it in sentences: those of `headline` are the answer, those
of `evidence_text` what it rests on. `percentages` writes shares.
"""
