"""The sidebar: which corpus and which recipe, shared by all pages. `sidebar` draws it and is what pages call.

Its rooms, each above those that it uses: `texts` and `tokenizers` from files, `recipes` of trainings, `links` to a
view, and `widgets`, the controls for all of them.

`recipe_line` says the choice in one line and folds the controls. `share_file` saves and opens everything as one file,
which `shared_fields` reads, and `read_start_file` reads that of `merge-by-merge FILE`. What a page shows without a
text: `introduction` and `tokenizer_introduction`.
"""
