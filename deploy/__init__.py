"""Files with which a class hosts the app. `check` and `memory` start what they describe, and say what they saw."""
