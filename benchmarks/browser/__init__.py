"""Pages and films in a headless Chromium: frames, CPU, and seconds until something shows."""
