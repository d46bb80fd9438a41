"""A talk that walks: a path of the curriculum as a mode, in which the keys of a clicker go from stop to stop.

`position` reads and writes where the talk is: the address holds it, so a reload continues. `moving` opens a stop: a
lesson, or a page with the lesson's text and settings. `bar` draws the line that says so and lets the keys go on; the
card of a lesson goes on by itself (`lesson_stop`).
"""
