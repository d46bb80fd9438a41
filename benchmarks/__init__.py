"""Benchmarks: scripts that print measurements, and the bounds that they must keep.

`training` and `encoding` measure the core, `first_screen` a Chromium, `load` what a class costs the server. `ties` and
`luck` are the study of ties. `texts` makes what they read, and `measure` measures CPU time and memory.
"""
