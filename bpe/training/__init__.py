"""Training: from counted words to merges.

Reading order: `textbook` is the whole algorithm in ten lines. `merge_loop` is the same loop, made fast by `word_layout`
(the corpus in flat lists), `pair_index` (an inverted index: pair -> count and positions) and `count_queue` (a bucket
queue: the pairs with the highest count). `sizes` says how large a training is stored. `runs` counts runs of one symbol
without overlap. `trainer` is what callers use: `train`, `train_steps` and `Training`. `second_stage` makes the words of
a second stage. `replay` makes the merges of a given list instead, which `merge_list` prepares. `in_processes` trains
several times at once.
"""
