"""The command line: an entrance, as app.py is. `python -m bpe` and the installed command `bpe` start it.

`commands` lists the commands, and `command` is the type of its rows. The commands that train, or prepare a training,
are in `training`, those that use a tokenizer in `tokenizers`. `shared` is what several of them need. `__main__` is what
`python -m bpe` starts.
"""
