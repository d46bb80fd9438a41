"""Recipes: everything that decides a training besides its text.

`settings` is the table of settings, `setting` the type of its rows, and `second_stage` has those about superwords.
`conditions` and `explanations` say when each is shown, and with which words. `recipe` is what they make; `picks` are
the merges that a viewer decides by hand.
"""
