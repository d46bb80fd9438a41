"""The page Lessons: `lesson` is the model, `stages` what stands beside its text, `contents` reads the course."""
