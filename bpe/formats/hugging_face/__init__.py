"""Hugging Face's tokenizer.json, read and written. Begin with `reading`."""
