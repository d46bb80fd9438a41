"""The page Compare: several trainings on one corpus side by side, their differences, and whether these matter.

`bpe/comparison/` decides and says it. Here, `lanes` and `lane_menu` choose what is compared, `held_out_text` what it is
tested on, `comparison` keeps the measures, and `stage`, `answer` and `details` draw the page from top to bottom.
"""
