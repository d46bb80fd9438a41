"""The command line, `python -m bpe`: one module per command.

`commands` lists them, and `command` is the type of its rows. These train, or prepare a training: `train`, `count`,
`go_on` (the command `continue`), `ties`, `compare`, `languages` and `film`. These use a tokenizer: `encode`, `decode`
and `export`.

Shared by several: `training_options` and `reading` define options and read text, `tokenizer_files` and `lanes` name
tokenizers, `interruptible` trains with progress and Ctrl-C, and `terminal` writes files and progress.
"""
