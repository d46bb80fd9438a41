"""Files with which a class hosts the app, and `check`, which starts and opens what they describe."""
