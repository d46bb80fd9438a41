"""Films as HTML: one file that any browser plays.

`page` is the film of a training, `lesson_page` that of a lesson. `site` and `embeds` put a film on a website and into
slides, and `notebook` shows it in a notebook. All are an `html_page`, as are the report and the gallery's pages.
`packed_text` compresses what a page holds, and `own_words` is what a film holds to train on its viewer's own words.
"""
