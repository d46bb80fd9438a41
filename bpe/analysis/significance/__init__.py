"""Significance: whether the difference between lanes matters, as far as a held-out text can tell.

Read `held_out` and `default_held_out`, `held_out_words`, `unit_tokens`, `unit_sums`, `intervals`,
`vocabulary_agreement`, `text_overlap`, `random_draws` and `equal_merges`, then `evidence`, which holds them all, and
`verdict`, which decides.
"""
