"""The user interface. With pages/ and app.py, only this package imports streamlit, pandas and plotly.

Each page has a folder: `watch`, `compare`, `encode`, `vocabulary`, `bytes`, `languages`, `lessons`. The rooms that they
share, each above those that it uses: `visit`, `work` in threads, `show` (text, tables, charts), `components` (all that
has JavaScript), `streamlit_gaps` (what Streamlit lacks), `styles`, `sidebar`, `trainings`, `exercises`, `saving`,
`language_tab` (of two pages), `talk` (a path through lessons and pages), and the `shell` around them.
"""
