"""Texts: `corpus` makes one, `uploaded_texts` and `encodings` read files, `held_out_choice` is Compare's other text."""
