"""The page Compare: several trainings on one corpus side by side, their differences, and whether these matter."""
