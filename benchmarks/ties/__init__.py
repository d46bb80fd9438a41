"""A study of ties: how often they decide a training, how far tie-breaking rules lead apart, and where that shows.

`corpora` splits texts into a training part and a held-out part, `study` measures, `results` keeps the measurements in
files, `figures` draws them, and `page` writes docs/ties.md. Run: python -m benchmarks.ties [FILE ...] -o DIR.
"""
