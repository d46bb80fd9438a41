"""Analysis: what a training or a tokenizer does, in numbers and in rows to show."""
