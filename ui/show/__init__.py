"""Text, tables and charts for all pages. `text` makes what users write literal."""
