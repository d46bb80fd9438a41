"""The choices above every page: which text and which settings. `choices` draws them and is what pages call."""
