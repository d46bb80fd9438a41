"""The evidence that a beat shows, read from the lesson's file and computed.

`runs` has the results of several recipes, `curve` how many tokens a text needs, `pattern_view` how a pattern splits a
text, `typed_table` figures of tokenizers that the app does not train, and `models` which model uses which tokenizer.
"""
