"""The views below the result, one module each.

`why_view`, `words_view`, `published_view`, `encoders_view`, `variants_view` and `decode_view`. The registry of views is
`ui/encode/views.py`.
"""
