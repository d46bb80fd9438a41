"""Text, tables, charts and colours for all pages."""
