"""The command line: an entrance, as app.py is. `python -m bpe` and the installed command `bpe` start it.

One module per command: `commands` lists them, and `command` is the type of its rows. These train, or prepare a
training: `train`, `count`, `go_on` (the command `continue`), `ties`, `compare`, `languages` and `film`. These use a
tokenizer: `encode`, `decode`, `export`, `measure` and `audit`.

Shared by several: `training_options` and `reading` define options and read text. `tokenizer_files`, `named_tokenizers`
and `lanes` name tokenizers. `interruptible` trains with progress and Ctrl-C, `workers` starts processes, and `terminal`
writes files and progress. `__main__` is what `python -m bpe` starts.
"""
