"""The page Watch: its parts, from the grid's feed to the tables.

The grid gets `grid_feed` and begins at `start_step`. In the order of the page: `asked_step` (a
question about one step), `replay_notes`, `hand_picks`, the grid, `below_grid` with `details`, and `notes`.
"""
