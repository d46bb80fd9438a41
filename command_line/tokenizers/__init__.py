"""The commands that use a tokenizer, one module each: `encode`, `decode`, `export`, `measure` and `audit`."""
