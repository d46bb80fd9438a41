"""The tests. bpe/, film/, ui/ and command_line/ mirror the code, js/ runs in node, and browser/ drives a real Chromium.

house/ holds the tests of the whole: layers, registries, words and documents. shipping/ tests
what is installed, hosted, published. material/ is what tests are given, golden/ what trainers learned elsewhere.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
