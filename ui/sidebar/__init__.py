"""The sidebar: which corpus and which recipe, shared by all pages. `sidebar` draws it and is what pages call."""
