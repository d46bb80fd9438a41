"""Regexes: the patterns that split a text, and those that somebody types or that a file brings.

`patterns` holds the patterns of the variants. `matches` finds where a pattern matches. `pattern_size` measures a
pattern before it is compiled, `group_calls` refuses one that calls its own groups, and `alternatives` separates its
branches.
"""
