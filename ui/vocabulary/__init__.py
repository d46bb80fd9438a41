"""The page Vocabulary: all tokens at a step, with a search, the details of one token, and charts of the growth.

In the order of the page: `token_search`, `token_table`, `token_details`, and `chart_tabs` with the charts of `figures`,
the text of `held_out_text`, the `trimming_tab` and the folder `audit`. `own_text` is a field that keeps its text.
"""
