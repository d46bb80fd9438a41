"""Files with which a class hosts the app. `try_hosting` starts what they describe, and opens every page."""
