"""The user interface. With pages/ and app.py, only this package imports streamlit, pandas and plotly.

Each page has a folder: `watch`, `compare`, `encode`, `vocabulary`, `bytes`, `lessons`. Shared folders: `sidebar`,
`show` (text, tables, charts), `components` (all that has JavaScript), `styles`, `exercises`, and `languages`, a tab of
two pages. The modules here are for all pages:

A page begins with `navigation` and `page_link`; `session` has what a visit remembers, `first_visit` what it begins
with. `training` gets the page its traces: `training_watch`, `running_training` and `traces` share them among sessions.
`step_slider`, `popover`, `stop_button`, `save_film`, `save_picture` and `export_tokenizer` are controls that several
pages have.

The server works in threads with `jobs` and `work_queue`, remembers in `byte_cache` with `object_size`, and keeps to the
`limits` of its host. `widget_messages` and `late_messages` check what browsers send; `put_before` is how.
"""
