"""Saving, on several pages: `save_film`, `save_picture`, and `export_tokenizer` for the formats of libraries."""
