"""Published tokenizers: the vocabularies of well-known models, which come with the app.

`rows` is the registry: one row each, with source and licence. `opening` opens one. `packing` reads and writes the files
in `files/`, which hold exactly what the source has, in fewer bytes. `fetch` makes these files again from the packages
that the rows name. Each licence's text is in `licences/`. The core needs none of this.
"""
