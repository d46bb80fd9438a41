"""Files with which a class hosts the app. `trials` starts what they describe, and says what it saw."""
