"""Analysis: what a training, a vocabulary or a text looks like in figures, tables and rows."""
