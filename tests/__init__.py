"""The tests: one module per module of the app, and tests/browser/, which drives a real Chromium."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
