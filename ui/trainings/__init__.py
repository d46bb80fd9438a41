"""Trainings, shared by all sessions that ask for the same one. `training` is what pages call.

`running_training` is one training in its thread, `training_watch` one session's part in it, and `traces` has the
complete ones. `visitor_memory` is what one visitor's texts, tokenizers and trainings take.
"""
