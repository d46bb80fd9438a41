"""The app's server: steps of a class, visits and their memory. `viewer` speaks to it without a browser."""
