"""The algorithms that encode a word, and what they work with.

`by_merges` and `by_vocabulary` are the two ways; `by_dropout` and `by_trimming` vary the first. Files may ask for
`one_by_one` and `whole_words`. `encoder_input` is what each of them gets and reports, and `merge_table` has the merges
as look-up tables.
"""
