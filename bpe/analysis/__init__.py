"""Analysis: functions that compare, measure and lay out trainings and encodings.

For one training, `ties` tells whether ties mattered, `best_pairs` and `merge_ranks` look at its steps, and `ending`
says why it ended. `compression` counts the tokens of a text. `vocabulary` lists every token at a step, with its merge
tree, and `trimming` those that the vocabulary could do without. `audit` does the same for a finished tokenizer, and
`removal` removes them.

`languages` counts what texts cost under a finished tokenizer or after every merge, and `language_metrics` makes figures
of that. `parity_aware` trains so that the text that is compressed worst chooses each merge.

`text_rows` show one text from characters to tokens. Several trainings are compared in `bpe/comparison/`.
"""
