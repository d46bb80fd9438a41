"""Relatives of BPE, to compare it with: small trainers that count everything again at every step.

`word_piece` chooses pairs by a score instead of a count.
"""
