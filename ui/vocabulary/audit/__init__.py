"""The tab Audit of Vocabulary: tokens that a text never uses or that no text seems to give, and the rest.

`tab` draws it, in this order: `reference` is the text that shows which tokens are used, `auditing` the work in a
thread, `findings_table` lists what it found, and `removal` saves the tokenizer without the tokens that were chosen.
"""
