"""Benchmarks: scripts that print measurements, and the bounds that they must keep.

core/ measures training, encoding and counting, browser/ the pages and films in a Chromium, server/ what a class costs
the server; ties/ is the study of ties. `texts` makes what they read, and `measure` measures CPU time and memory.
"""
