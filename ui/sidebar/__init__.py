"""The sidebar: which corpus and which recipe, shared by all pages. `sidebar` draws it and is what pages call.

The corpus: `corpus` makes one, `corpus_controls` choose it; `uploaded_texts` and `encodings` read files.

The recipe: `settings` is the table of settings, `setting` the type of its rows; `conditions`, `controls` and
`explanations` say when each is shown, how, and with which words. `recipe` is what they make, `recipe_controls` draw
them, `preset_choice` and `picks` belong to two of them. `recipe_source` chooses between a training and a tokenizer from
a file: `tokenizer_controls`, `tokenizer_files`, `tokenizer_splits`.

What another session gets: `link` and `text_link`; `share_file` with `expected_tokenizer` and `held_out_choice`;
`linked_step` and `asked` for the step that is opened; `start_file` and `read_start_file` for `merge-by-merge FILE`.

What a page shows without a text: `introduction` and `tokenizer_introduction`.
"""
