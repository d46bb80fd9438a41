"""Compare: lanes of one corpus side by side, what sets them apart, and whether it matters."""
