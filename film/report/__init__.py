"""The report of a comparison: verdict, evidence, film and tables in one file, with all that is needed to repeat it.

`comparison` is what a report is made from, `manifest` says how it was made, `tables` holds its numbers, `files` writes
them as CSV and JSON, and `page` writes the HTML file, with a chip for each token that `table_tokens` finds.
"""
