"""What the browser gets: its style sheets, its scripts, and the names that screen readers hear."""
