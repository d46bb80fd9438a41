"""The tab Audit of Vocabulary: tokens that a text never uses or no text can use, and the tokenizer without them.

In the order of the tab: `reference` is the text that shows which tokens are used, `auditing` the work in a thread,
`findings_table` lists what it found, and `removal` saves the tokenizer without the tokens that the viewer chose.
"""
