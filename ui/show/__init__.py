"""Text, tables, charts and colours, as all pages show them."""
