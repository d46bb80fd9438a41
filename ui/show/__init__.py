"""Text, tables, charts and colours for all pages.

`text` escapes what users write. `tables` and `csv_table` make tables and files, `charts` and `draw_chart` make charts,
in the `colours` of the palette.
`first_view` says how a grid is drawn at first. `overview` computes the numbers of all steps once for each trace.
"""
