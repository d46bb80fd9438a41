"""Relatives of BPE, to compare it with.

`word_piece` chooses pairs by a score instead of a count, and counts everything again at every step. `parity_aware` lets
the document that is compressed worst choose each merge; `parity_training` trains it. `unigram` is an encoder only.
"""
