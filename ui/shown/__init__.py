"""What is around every page, and what several pages show: addresses, Share, every way to break the ties, tables."""
