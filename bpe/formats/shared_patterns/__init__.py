"""Shared patterns: regular expressions of other libraries' files, and what they mean to the package `regex`.

`shared_regex` translates a pattern, `shared_sets` the sets in it. `shared_syntax` lists what is the same in both
libraries, what is translated and what is refused.
"""
