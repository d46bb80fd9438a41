"""Trace: the decisions of a training, from which every step can be derived without training again.

Reading order: `steps` and `trace` are what callers see. `merge_log` stores the decisions. From them `pair_counts`
derives the count of every pair at any step, `unmerge` the segmentation of the `final_words`, and `tied_pairs` the order
in which tied pairs occur in them. `vocabulary` says which tokens and ids there are, and `replayed` says the same for a
replay. `notebook` shows a trace in a notebook.
"""
