"""Exercises: questions that the app asks and checks, in lessons and on Watch. `bpe.exercises` judges the answers.

`kinds` says what each kind asks and how an answer is read, `progress` what was tried in this visit.
"""
