"""Merge by Merge: byte pair encoding, one merge at a time. `merge-by-merge` opens the app; `bpe` is the core."""
