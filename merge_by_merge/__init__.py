"""Merge by Merge: byte pair encoding, one merge at a time. `merge-by-merge` opens the app; `bpe` is the core.

Installed, this package holds `bpe` and the other layers. In a clone they lie beside this folder.
"""
