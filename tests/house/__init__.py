"""Tests of the house: its layers, registries, styles, words, settings and documents."""
