"""The page Compare: several trainings on one corpus side by side, their differences, and whether these matter.

Its rooms, each above those that it uses: `choice` of the lanes, `measures` of their differences, the `grids` that show
them, and the `results`.
"""
