"""Settings: everything a user can choose for a training. Choices among named alternatives are rows of registries."""
