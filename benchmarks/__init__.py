"""Benchmarks: scripts that print measurements, and the bounds that they must keep.

`training` and `encoding` measure the core, `films` and `first_screen` a Chromium, `load` what a class costs the server,
which `viewer` speaks to without a browser. `ties` is the study of ties. `texts` makes what they read, and `measure`
measures CPU time and memory.
"""
