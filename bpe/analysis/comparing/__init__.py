"""Several trainings, compared.

`comparison` compares their merges and vocabularies, `word_comparison` the words of a text. `rows` writes the results as
rows of tables.
"""
