"""Training: from counted words to merges.

Reading order: `textbook` is the whole algorithm in ten lines. `trainer` is the fast version of the same loop; it works
on `word_layout` (the corpus in flat lists), `pair_index` (an inverted index: pair -> count and positions) and
`count_queue` (a bucket queue: the pairs with the highest count).
"""
