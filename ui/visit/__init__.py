"""A visit: what it begins with, what it remembers, and what its link names.

`first_visit` has the registry rows that it begins with. `slot` is how a module remembers a private value; each module
defines its own. `page_link` reads and writes the parameters of a page's link.
"""
