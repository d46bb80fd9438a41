"""Benchmarks: scripts that print measurements, and the bounds that they must keep.

`training` and `encoding` measure the core, `films` and `first_screen` a Chromium, `load` what a class costs the server,
which `viewer` speaks to without a browser. `ties`, `luck` and `models` are the study of ties; `models` trains the
models of `gpt` as `model_setting` says, and `blocks` says how far they lie apart. `texts` makes what they read, and
`measure` measures CPU time and memory.
"""
