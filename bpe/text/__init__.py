"""Text: how a text becomes pre-tokens and words of symbols, and how symbols become text again."""
