"""Exercises: questions that the app asks and checks, in lessons and on Watch. `bpe.exercises` judges the answers."""
