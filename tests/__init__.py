"""The tests: bpe/, film/ and ui/ mirror the code, js/ runs in node, and browser/ drives a real Chromium."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
