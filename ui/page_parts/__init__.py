"""The parts of each page, below the script in pages/ that says where they stand."""
