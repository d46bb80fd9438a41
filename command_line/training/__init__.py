"""The commands that train or prepare a training, one module each.

They are `count`, `train`, `go_on` (the command `continue`), `film`, `ties` and `compare`.
"""
