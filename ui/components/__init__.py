"""Components: the parts of the app that have their own JavaScript, as Streamlit components (version 2).

`component` registers one: a folder with `main.js`, and perhaps `main.css` and `main.html`. `message` reads what a
component reports, and trusts none of it.

`token_grid` (`grid_memory` has its steps) and `pair_table`, whose files are in `film/browser`, `lane_stage`,
and `stage_answer`, which gives it an answer;
`compare_parts` of Compare; `aligned_rows`, `boundary_picker` and `decoding` of Encode; `merge_tree` of Vocabulary;
`chip_table`, a table whose tokens are chips, and `chip_result_table` with a file of all rows; `exercise` of Watch;
`models_table`, `lesson_subject` and `talk` of Lessons, whose card has the files in `lesson_card`. Those that only fill
a gap of Streamlit are in `ui/streamlit_gaps`.
"""
