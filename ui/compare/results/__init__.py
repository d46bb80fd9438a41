"""The results of a comparison: `answer` stands above the lanes, `details` below, in tabs.

Such tabs are `evidence_tab`, `tie_tab` and `words_tab`; `language_lanes` are the lanes of the tab “Languages”, and
`token_tables` the tables whose tokens are chips.
"""
