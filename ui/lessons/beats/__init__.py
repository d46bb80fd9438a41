"""A beat on the screen: its card, and the stage beside it.

`beat_content` joins a beat with its trace. `card` is the component, `card_content` what it shows, and `answers` judges
its exercises. Beside it, `beat_grids` shows the stage: grids with their feeds (`beat_feeds`), `spelled_text`, a `rail`
of what has been learned, or one of the `subjects`. `boxes` holds what a beat shows beside its text.
"""
