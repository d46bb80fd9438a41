"""Settings: everything a user can choose for a training, as rows of registries."""
