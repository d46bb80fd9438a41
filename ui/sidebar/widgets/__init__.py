"""The controls of the sidebar: `controls` draws one setting.

`corpus_controls` choose a text, `recipe_controls` a recipe, with `preset_choice`; `tokenizer_controls` open a
tokenizer. `recipe_source` chooses between the last two. `opening` is the text that a page begins with.
"""
