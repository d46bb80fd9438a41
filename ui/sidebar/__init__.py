"""The sidebar: which corpus and which recipe, shared by all pages."""
