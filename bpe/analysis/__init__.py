"""Analysis: functions that compare, measure and lay out trainings and encodings.

For one training, `ties` tells whether ties mattered, `best_pairs` and `merge_ranks` look at its steps, and `ending`
says why it ended. `compression` counts the tokens of a text. `vocabulary` lists every token at a step, with its merge
tree, and `trimming` those that the vocabulary could do without. `audit` does the same for a finished tokenizer, and
`removal` removes them.

`languages` compares named documents by the metrics in `language_metrics`.

Rooms: `text_rows` show one text from characters to tokens. `comparing` compares several trainings. `significance` is
all that a held-out text tells about the difference between lanes, and `sentences` say it. `measuring` is about finished
tokenizers, without a training.
"""
