"""Languages: the tab of Compare and Vocabulary that compares the named documents of a corpus, merge by merge."""
