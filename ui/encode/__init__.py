"""The page Encode: new text encoded with learned merges or a typed vocabulary, step by step, and ids decoded.

In the order of the page: `controls` (with `encoder_settings` and `typed_vocabulary`), `encoding_grid`,
`result_tables`, and `views`, which opens one of the `result_views`. `encoding_run` encodes the text, within the bounds
of `work_limit`; `encoded_text` is what it returns.
"""
