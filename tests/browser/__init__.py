"""Tests in a real Chromium, against the app as a person starts it."""
