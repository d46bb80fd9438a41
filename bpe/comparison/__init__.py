"""Comparison: whether the choice between several trainings, or finished tokenizers, matters.

Reading order: `comparison` (what they learned), `words` (how they split text), `held_out` (text that none has read),
`intervals`, `random_draws` (what luck changes), `evidence` (all figures), `verdict` (the answer), `evidence_text` and
`verdict_text` (both in sentences), `tables`.
"""
