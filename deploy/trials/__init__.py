"""Trials: try each way to host and to get the app as a class would use it, and print what the documents quote."""
