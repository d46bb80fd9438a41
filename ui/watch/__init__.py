"""The page Watch: its parts, from the grid's feed to the tables."""
