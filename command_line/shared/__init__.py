"""What several commands share.

`training_options` and `reading` define options and read text. `tokenizer_files` and `named_tokenizers` name
tokenizers. `interruptible` trains with progress and Ctrl-C, `workers` starts processes, and `terminal` writes files and
progress.
"""
