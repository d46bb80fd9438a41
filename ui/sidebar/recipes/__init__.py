"""Recipes: everything that decides a training besides its text.

`settings` is the table of settings, `setting` the type of its rows, `second_stage` has those about superwords, and
`rare_settings` those that few trainings need. `conditions` and `explanations` say when each is shown, and with which
words. `recipe` is what they make; `picks` are the merges that a viewer decides by hand.
"""
