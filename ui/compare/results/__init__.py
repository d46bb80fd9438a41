"""The results of a comparison: `answer` stands above the lanes, `details` below, in tabs.

Such tabs are `evidence_tab`, `tie_tab` and `words_tab`; `token_tables` are the tables whose tokens are chips.
"""
