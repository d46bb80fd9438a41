"""The choices above every page: which text and which recipe. `choices` draws them and is what pages call."""
