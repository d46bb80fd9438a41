"""Tests of presets beside the trainers that they reproduce."""
