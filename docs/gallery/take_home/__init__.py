"""What a lecturer hands out: problems with their contexts and solutions, made from the exercises of the lessons.

`problems` collects them, `problem_sheet` prints them, `moodle` writes them as questions that Moodle imports, and
`notebook` is the exercise in which a reader writes a trainer.
"""
