"""The parts of a feed.

`windows` decides which part of a long text is shown, `window_words` gives its words, and `stages` says where a second
stage begins. `token_numbers` and `characters` name tokens and characters for the browser; `chip_label` says what a chip
writes. `packing` and `digests` make numbers and names short. `choosers` adds who chose each merge, and `shades` the
colours of several lanes.
"""
