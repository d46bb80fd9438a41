"""The tab Languages of Compare and Vocabulary, which compares the named documents of a corpus, merge by merge.

`tab` draws it: `controls`, the chart of `figures` and the tables. `curves` computes what they show, under a name that
`digest` makes. `parity` trains parity-aware BPE, and `parity_steps` shows what that did.
"""
