"""The page Compare: several trainings on one corpus side by side, their differences, and whether these matter.

To choose the lanes, `lanes` reads their slugs, `lane_state` stores them, `lane_menu` offers them; `branches` adds lanes
with pairs picked by hand, `lane_files` those of tokenizers from files. `held_out_text` chooses the held-out text.

What is compared: `comparison` holds the traces and measures, `measuring` computes the evidence in a thread
(`shared_work`), `verdict` puts it in sentences and `tables` in rows.

In the order of the page: `lane_menu`, `answer`, `lane_progress` while lanes are trained and then `lane_grids`, and
`details` with its tabs, such as `evidence_tab`, `tie_tab`, `words_tab` and `luck`. `charts` draws for all of them, and
`save_report` saves the comparison.
"""
