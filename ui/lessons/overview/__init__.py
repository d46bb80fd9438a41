"""The course as a whole: its overview and the progress of a visit.

`curriculum` says how long lessons take, and lists paths for talks; `curriculum_view` shows it. `progress_file`
shows the progress of a visit, and saves it for a teacher.
"""
