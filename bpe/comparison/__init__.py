"""Comparison: whether the choice between several trainings, or finished tokenizers, matters.

Reading order: `lanes` (what is compared), `learned` (which tokens, and where they part), `words` (how text is split),
`held_out` (text that no lane has read), `comparison` (all of these on one text), `random_draws` (what luck
changes), `evidence` (all figures, and the answer), `verdict` (the answer in sentences), `tables`. Pages and the command
`compare` only draw them.
"""
