"""Measuring finished tokenizers, without a training: `measured` counts, `measures` are the figures made of that.

`measure_files` writes them as a table, CSV and JSON.
"""
