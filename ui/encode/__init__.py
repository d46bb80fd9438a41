"""Encode: new text cut with what was learned, every step of it, and the way back from ids to text."""
