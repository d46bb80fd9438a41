"""The gallery: the lessons, texts and comparisons as a website of films that needs no server of ours.

    .venv/bin/python -m gallery                                    # into site/
    .venv/bin/python -m gallery site --url https://example.org/bpe

`films` lists the films, `stills` takes their pictures in Chromium, `index_page` and `slides` write the
pages around them, and `build` puts everything into a folder.
"""
