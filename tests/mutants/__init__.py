"""Mutants, small changes that should fail a test: `python -m tests.mutants PACKAGE [NUMBER] [SEED]`.

`changes` makes them, `trial` tries one, `reach` records which tests run which lines, and `__main__` is the command.
The tools on PyPI either run all tests for each mutant or load their own copy of the code, which our tests of whole
processes would not see.
"""
