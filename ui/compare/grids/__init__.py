"""The lanes on the page: `lane_menu` chooses them, `branches` adds some with pairs picked by hand.

`lane_progress` draws them while they are trained, `lane_grids` afterwards; `parts` draws what they have in common, and
`disputed_words` those of the answer.
"""
