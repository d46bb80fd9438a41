"""Text: from text to pre-tokens to words of initial symbols, and back.

Reading order: `variants` is the registry, `variant` defines its rows, and `spelling` holds functions that rows are made
of. `regexes` has the patterns that split a text; `before_splitting` is what happens to the text first. `long_texts`
counts the pre-tokens of texts and files of any size. `superwords` makes the looser split of a second stage.

`display` writes symbols for people, and `sentence_label` writes them within sentences. `invisible` names characters
that cannot be seen, `spreadsheet` writes texts for CSV files, and `initial_symbols` returns the initial symbols of a
token.
"""
