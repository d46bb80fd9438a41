"""Trainings, shared by all sessions that ask for the same one. `training` is what pages call."""
