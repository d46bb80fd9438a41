"""Analysis: what trainings and encodings have in common, what they cost, and how they can be shown."""
