"""The page Vocabulary: all tokens at a step, with a search, the details of one token, and charts of the growth."""
