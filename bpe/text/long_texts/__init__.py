"""Long texts, a chunk at a time.

`counting` counts pre-tokens, of files too (`file_chunks`), and `safe_cuts` finds where a long text can be split without
splitting a pre-token.
"""
