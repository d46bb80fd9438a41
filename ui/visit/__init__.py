"""A visit: `first_visit` has the registry rows that it begins with, `page_link` reads and writes what a link names."""
