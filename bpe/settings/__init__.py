"""Settings: everything a user can choose for a training.

`read_request` lists the settings with their defaults and checks them, with `setting_readers`; a `request` holds them.
Choices among named alternatives are rows of registries: `tie_breaking`, `alphabets`, `piece_rules` (with the tables of
Unicode in `scripts`), and `presets`, which fix several at once. `rare_characters` leaves characters out of a training.
"""
